// The sequence reader: compression, truncation, pipes, very long records.
#include "support/sequence_files.hpp"
#include "support/skip.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("gzip and BGZF, one or many members, any number of threads") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const Record a{"a", "x", random_letters(random, 200000)};
  const Record b{"b", "", random_letters(random, 150000)};
  const std::string first = ">a x\n" + wrapped(a.symbols, 60, "\n");
  const std::string second = ">b\n" + wrapped(b.symbols, 70, "\n");
  const std::string gz1 = gzip_bytes(folder / "1", first);
  const std::string gz2 = gzip_bytes(folder / "2", second);
  const std::string bgzf1 = bgzf_bytes(folder / "3", first, 20000);
  const std::string bgzf2 = bgzf_bytes(folder / "4", second, 20000);
  const std::string empty = gzip_bytes(folder / "5", "");
  for (const std::string& bytes :
       {gz1 + gz2, bgzf1 + bgzf2, gz1 + bgzf2, bgzf1 + gz2, empty + gz1 + empty + gz2 + empty,
        gzip_bytes(folder / "6", first + second), bgzf_bytes(folder / "7", first + second),
        bgzf1 + empty + gz2, bgzf1 + gz2 + empty}) {
    const std::string path = write_file(folder / "all.gz", bytes);
    for (const int threads : {0, 1, 2, 4}) {
      for (const bool split : {false, true}) {
        CAPTURE(threads);
        CHECK(read_all({path}, {threads, 65536, split}) == Records{a, b});
      }
      SequenceReader reader({path, path}, {threads, 65536, true});
      RecordBatch batch;
      std::uint64_t before = 0;
      while (reader.next(batch)) {
        CHECK(reader.bytes_read() >= before);
        before = reader.bytes_read();
      }
      CHECK(reader.bytes_read() == 2 * bytes.size());
    }
  }
}

namespace {

/// Cuts the file at every length; reading must not succeed.
void check_every_cut(const std::string& bytes, const std::string& path) {
  for (std::size_t length = 1; length < bytes.size(); ++length) {
    write_file(path, bytes.substr(0, length));
    for (const int threads : {1, 3}) {
      CAPTURE(length);
      CAPTURE(threads);
      const std::string message = error_of({path}, {threads, 50, true});
      CHECK(message.starts_with(path + ": "));
      CHECK((has(message, "trunca") || (length == 1 && has(message, "0x1F"))));
    }
  }
}

void check_every_flip(const std::string& bytes, const std::string& path, const Records& expected) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
    write_file(path, changed);
    for (const int threads : {1, 2}) {
      CAPTURE(at);
      CAPTURE(threads);
      // Some bytes carry no meaning (time, system); any other change must be noticed.
      std::optional<Records> records;
      try {
        records = read_all({path}, {threads, 4096, false});
      } catch (const gsx::InputError&) {
      }
      CHECK((!records || *records == expected));
    }
  }
}

}  // namespace

TEST_CASE("compressed input cut at any length is refused") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string symbols = random_letters(random, 400);
  const std::string text = ">a x\n" + wrapped(symbols, 60, "\n") + ">b\nACGT\n";
  const Records expected = {{"a", "x", symbols}, {"b", "", "ACGT"}};
  const std::string gz = gzip_bytes(folder / "gz", text);
  const std::string bgzf = bgzf_bytes(folder / "bgzf", text, 100);
  CHECK(read_all({folder / "gz"}) == expected);
  CHECK(read_all({folder / "bgzf"}) == expected);
  SUBCASE("gzip") {
    check_every_cut(gz, folder / "cut");
  }
  SUBCASE("BGZF, also at the border of a block") {
    check_every_cut(bgzf, folder / "cut");
  }
  SUBCASE("the last block is there, the end marker is not") {
    write_file(folder / "cut", bgzf.substr(0, bgzf.size() - 28));
    for (const int threads : {1, 2}) {
      const std::string message = error_of({folder / "cut"}, {threads, 1000, false});
      CHECK(has(message, "record 2 ('b'), line 11: the BGZF end-of-file marker is missing"));
    }
  }
  SUBCASE("gzip, second member cut") {
    for (std::size_t length = gz.size() + 1; length < 2 * gz.size(); ++length) {
      write_file(folder / "cut", (gz + gz).substr(0, length));
      CHECK(has(error_of({folder / "cut"}), "truncated or damaged"));
    }
  }
  SUBCASE("BGZF followed by gzip, cut") {
    const std::size_t whole = bgzf.size() + gz.size();
    for (std::size_t length = bgzf.size() + 1; length < whole; length += 5) {
      write_file(folder / "cut", (bgzf + gz).substr(0, length));
      for (const int threads : {1, 2})
        CHECK(has(error_of({folder / "cut"}, {threads, 50, true}), "truncated or damaged"));
    }
  }
  SUBCASE("trailing garbage") {
    for (const std::string& whole : {gz, bgzf}) {
      for (const char* tail : {"garbage", "\n"}) {
        write_file(folder / "cut", whole + tail);
        for (const int threads : {1, 2})
          CHECK(has(error_of({folder / "cut"}, {threads, 1000, false}), "bytes that are not"));
      }
    }
  }
  SUBCASE("gzip, one bit changed") {
    check_every_flip(gz, folder / "cut", expected);
  }
  SUBCASE("BGZF, one bit changed") {
    check_every_flip(bgzf, folder / "cut", expected);
  }
}

TEST_CASE("a long BGZF file with a damaged or missing block is refused at every thread count") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string text = ">a\n" + wrapped(random_letters(random, 3000000), 60, "\n");
  const std::string bytes = bgzf_bytes(folder / "f", text, 10000);
  for (int round = 0; round < 30; ++round) {
    std::string changed = bytes;
    const std::size_t at = 64 + random() % (bytes.size() - 128);
    if (round % 3 == 0) changed.resize(at);
    if (round % 3 == 1) changed.erase(at, 18 + random() % 50);  // more than part of a header
    if (round % 3 == 2) changed.replace(at, 8, "\xAA\xAA\xAA\xAA\xAA\xAA\xAA\xAA");
    const std::string path = write_file(folder / "g", changed);
    for (const int threads : {1, 2, 8}) {
      CAPTURE(seed());
      CAPTURE(round);
      const std::string error = error_of({path}, {threads, 1 << 20, true});
      CAPTURE(error);
      // A block with a changed header may look like a gzip member, whose symbols, which may be
      // anything, come before its checksum.
      CHECK_FALSE(error.empty());
      if (round % 3 == 0) {
        CHECK((has(error, "damaged") || has(error, "bytes that are not compressed") ||
               has(error, "end-of-file marker is missing")));
      }
      CHECK(error == error_of({path}, {1, 1 << 20, true}));
    }
  }
}

namespace {

/// One text, plain, as gzip and as BGZF, for inputs that are not files.
struct StreamForms {
  StreamForms() {
    std::mt19937 random(seed());
    const std::string symbols = random_letters(random, 300000);
    const std::string text = ">a\n" + wrapped(symbols, 60, "\n");
    expected = {{"a", "", symbols}};
    bytes = {text, gzip_bytes(folder / "gz", text), bgzf_bytes(folder / "bgzf", text)};
  }
  TemporaryFolder folder;
  std::vector<std::string> bytes;
  Records expected;
};

/// Writes a little at a time, so that reads return less than asked for.
void write_slowly(int descriptor, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += 1000) {
    const std::size_t count = std::min<std::size_t>(1000, bytes.size() - at);
    if (write(descriptor, bytes.data() + at, count) < 0) break;
  }
  close(descriptor);
}

}  // namespace

TEST_CASE("a FIFO is read") {
  const StreamForms forms;
  const std::string path = forms.folder / "fifo";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  for (const std::string& bytes : forms.bytes) {
    std::thread writer([&] { write_file(path, bytes); });
    CHECK(read_all({path}, {2, 4096, true}) == forms.expected);
    writer.join();
  }
}

TEST_CASE("a pipe by its /dev/fd name is read, as in process substitution") {
  const StreamForms forms;
  for (const std::string& bytes : forms.bytes) {
    for (const bool cut : {false, true}) {
      int ends[2];
      REQUIRE(pipe(ends) == 0);
      std::thread writer([&] { write_slowly(ends[1], bytes.substr(0, bytes.size() - cut)); });
      const std::string path = "/dev/fd/" + std::to_string(ends[0]);
      if (cut && &bytes != &forms.bytes[0]) {
        CHECK(has(error_of({path}, {2, 4096, true}), "truncated or damaged"));
      } else {
        CHECK(read_all({path}, {2, 4096, true}) == forms.expected);
      }
      writer.join();
      close(ends[0]);
    }
  }
}

TEST_CASE("standard input is read and stays open") {
  const StreamForms forms;
  const int saved = dup(STDIN_FILENO);
  for (const std::string& bytes : forms.bytes) {
    const std::string path = write_file(forms.folder / "in", bytes);
    const int file = open(path.c_str(), O_RDONLY);
    REQUIRE(dup2(file, STDIN_FILENO) == STDIN_FILENO);
    close(file);
    CHECK(read_all({"-"}, {2, 4096, true}) == forms.expected);
    CHECK(fcntl(STDIN_FILENO, F_GETFD) >= 0);
    CHECK(error_of({"-"}) == "standard input: the file is empty; FASTA or FASTQ is expected");
  }
  dup2(saved, STDIN_FILENO);
  close(saved);
}

TEST_CASE("a record of more than 2^31 symbols passes in batches") {
  GSX_SKIP_IF(thinned(), "under sanitizers it takes minutes");
  // One block of 65,000 symbols, repeated, is a small file with a huge record.
  const TemporaryFolder folder;
  const std::string line = std::string(64999, 'A') + "\n";
  const std::string head = bgzf_bytes(folder / "h", ">huge\n");
  const std::string body = bgzf_bytes(folder / "b", line);
  const std::size_t marker = 28;
  const std::string block = body.substr(0, body.size() - marker);
  const std::uint64_t blocks = (std::uint64_t{1} << 31) / 64999 + 2;
  {
    std::ofstream out(folder / "huge.gz", std::ios::binary);
    out << head.substr(0, head.size() - marker);
    for (std::uint64_t i = 0; i < blocks; ++i)
      out << block;
    out << body.substr(body.size() - marker);
  }
  SequenceReader reader({folder / "huge.gz"}, {1, 4 << 20, true});
  RecordBatch batch;
  std::uint64_t symbols = 0;
  while (reader.next(batch)) {
    REQUIRE(batch.size() == 1);
    REQUIRE(batch.first_record == 0);
    REQUIRE(batch.continues == (symbols != 0));
    symbols += batch.symbols.size();
  }
  CHECK(symbols == blocks * 64999);
}

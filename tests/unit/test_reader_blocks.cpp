// The sequence reader: the blocks of a file, where they are cut, and reading them on several
// threads.
#include "records/record_border.hpp"
#include "support/sequence_files.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// FASTQ of four lines per record with arbitrary qualities, and where its records begin.
struct FourLines {
  std::string text;
  std::vector<std::size_t> begins;
  Records records;

  FourLines(std::mt19937& random, int count) {
    const std::string end = random() % 3 == 0 ? "\r\n" : "\n";
    for (int i = 0; i < count; ++i) {
      const std::string read = "A" + random_letters(random, random() % 60);
      std::string qualities = random_qualities(random, read.size());
      if (random() % 2 == 0) qualities[0] = "@+>"[random() % 3];
      const std::string name = "@+>r"[random() % 4] + std::to_string(i);
      begins.push_back(text.size());
      text += "@" + name + end + read + end;
      text += "+" + std::string(random() % 2 == 0 ? name : "") + end + qualities + end;
      records.push_back({name, "", read});
    }
  }
};

bool line_begins(const std::string& text, std::size_t at) {
  return at == 0 || text[at - 1] == '\n';
}

}  // namespace

TEST_CASE("the next record of a FASTQ file with four lines per record is found from anywhere") {
  std::mt19937 random(seed());
  for (int round = 0; round < rounds(20); ++round) {
    const FourLines file(random, 12);
    for (std::size_t at = 0; at < file.text.size(); ++at) {
      const auto next = std::lower_bound(file.begins.begin(), file.begins.end(), at);
      const std::string_view rest = std::string_view(file.text).substr(at);
      const std::size_t found =
          find_record(rest, SequenceFormat::fastq, line_begins(file.text, at));
      if (next == file.begins.end()) {
        REQUIRE(found == no_border);
        continue;
      }
      REQUIRE(found == *next - at);
      // Less text gives the same result or none, never another.
      for (std::size_t length = 0; length < rest.size(); ++length) {
        const std::size_t early =
            find_record(rest.substr(0, length), SequenceFormat::fastq, line_begins(file.text, at));
        REQUIRE((early == found || early == no_border));
      }
    }
  }
}

TEST_CASE("records and lines of a FASTA file are found from anywhere") {
  const std::string text = ">a >b\nAC\n\n>c\r\nA>C\r\n>d\n>e";
  for (std::size_t at = 0; at <= text.size(); ++at) {
    CAPTURE(at);
    std::size_t record = at;
    while (record < text.size() && !(text[record] == '>' && line_begins(text, record)))
      ++record;
    std::size_t line = at;
    while (line < text.size() && !line_begins(text, line))
      ++line;
    const std::string_view rest = std::string_view(text).substr(at);
    const bool at_line_start = line_begins(text, at);
    CHECK(find_record(rest, SequenceFormat::fasta, at_line_start) ==
          (record >= text.size() ? no_border : record - at));
    CHECK(find_line(rest, at_line_start) == (line >= text.size() ? no_border : line - at));
  }
}

TEST_CASE("qualities that look like records do not mislead the reader") {
  // Wrapped qualities may spell a whole record; only the count of symbols shows that they do not.
  const std::string trap = "@x\nACGT\n+\nIIII\n";
  const std::string quality = trap + trap + "@y\nA\n+\n";
  const std::size_t values = static_cast<std::size_t>(
      std::count_if(quality.begin(), quality.end(), [](char c) { return c != '\n'; }));
  std::string text;
  Records expected;
  for (int i = 0; i < rounds(30); ++i) {
    const std::string symbols(values, "ACGT"[i % 4]);
    const std::string name = "r" + std::to_string(i);
    text += "@" + name + "\n" + wrapped(symbols, 20, "\n") + "+\n" + quality;
    if (i % 3 == 0) text += trap;
    expected.push_back({name, "", symbols});
    if (i % 3 == 0) expected.push_back({"x", "", "ACGT"});
  }
  check_text(text, expected);
  check_error(text + "@z\nACGT\n+\nIII\n@a\nA\n+\nI\n", "3 quality values for 4 symbols");
  check_error(text + "@z\nAC", "the file ends inside this record");
}

TEST_CASE("many threads read the same as one, in blocks of any size") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  for (int round = 0; round < rounds(6); ++round) {
    CAPTURE(seed());
    CAPTURE(round);
    Records records;
    std::string text;
    for (int part = 0; part < 20; ++part) {
      Records more = random_records(random);
      if (part == 7) more.push_back({"long", "", random_letters(random, 20000)});
      text += round % 2 == 0 ? fasta_of(more, random) : fastq_of(more, random);
      records.insert(records.end(), more.begin(), more.end());
    }
    const std::string plain = write_file(folder / "plain", text);
    const std::string packed = folder / "packed";
    bgzf_bytes(packed, text, 3000);
    Records twice = records;
    twice.insert(twice.end(), records.begin(), records.end());
    for (const std::uint64_t block : {1, 3, 64, 500, 501, 4096, 5000, 1 << 20}) {
      if (block < 64 && thinned()) continue;  // every thread gets a turn for each byte
      for (const bool split : {false, true}) {
        CAPTURE(block);
        CAPTURE(split);
        const Reading reading = read_on_threads({plain, packed}, {2, block, split}, 6);
        CHECK(reading.error.empty());
        CHECK((reading.records == twice));
      }
    }
  }
}

TEST_CASE("an error halfway is the same for any blocks and threads, after the same records") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const FourLines good(random, 400);
  const std::string first = write_file(folder / "first", good.text);
  for (const std::string& bad :
       {std::string("@bad\nAC\rGT\n+\nIIII\n"), std::string("@bad\nACGT\n+\nIII\n"),
        std::string("bad\n"), std::string("@bad\nACGT\n@next\n")}) {
    const std::string second = write_file(folder / "second", good.text + bad + good.text);
    const std::string error = error_of({first, second});
    CHECK(has(error, "/second: record 401"));
    CHECK(has(error, ", line 160"));
    for (const std::uint64_t block : {1, 50, 99, 1000, 7777, 1 << 20}) {
      if (block < 50 && thinned()) continue;
      CAPTURE(block);
      const Reading reading = read_on_threads({first, second}, {1, block, false}, 5);
      CHECK(reading.error == error);
      const std::size_t count = reading.records.size();
      REQUIRE(count <= 800);
      CHECK(count >= 400);
      if (block == 1) CHECK(count == 800);
      for (std::size_t i = 0; i < count; ++i)
        CHECK((reading.records[i] == good.records[i % 400]));
    }
  }
  const Reading missing = read_on_threads({first, folder / "none", first}, {1, 100, false}, 5);
  CHECK(has(missing.error, "/none: cannot read it: No such file"));
  CHECK((missing.records == good.records));
}

TEST_CASE("standard input in the middle of a file is read from there to the end") {
  const TemporaryFolder folder;
  const std::string path = write_file(folder / "f", ">a\nAC\n>b\nGT\n>c\nTT\n");
  const int saved = dup(STDIN_FILENO);
  const int file = open(path.c_str(), O_RDONLY);
  for (const std::uint64_t block : {1, 4, 1000}) {
    REQUIRE(lseek(file, 6, SEEK_SET) == 6);
    REQUIRE(dup2(file, STDIN_FILENO) == STDIN_FILENO);
    CHECK(read_all({"-"}, {1, block, false}) == Records{{"b", "", "GT"}, {"c", "", "TT"}});
    CHECK(lseek(file, 0, SEEK_CUR) == 18);
  }
  close(file);
  dup2(saved, STDIN_FILENO);
  close(saved);
}

TEST_CASE("a file that becomes shorter while it is read is refused") {
  const TemporaryFolder folder;
  const std::string path = write_file(folder / "f", ">a\nAC\n>b\nGT\n>c\nTT\n>d\nAA\n");
  SequenceReader reader({path}, {1, 6, false});
  RecordBatch batch;
  REQUIRE(reader.next(batch));
  CHECK(batch.name(0) == "a");
  REQUIRE(truncate(path.c_str(), 9) == 0);
  CHECK_THROWS_WITH_AS(
      reader.next(batch),
      (path + ": record 1 ('a'), line 3: the file has become shorter while it was read").c_str(),
      gsx::InputError);
  CHECK(batch.number == 1);
}

TEST_CASE("blocks may change their size from one to the next") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  struct Kind {
    int records;
    std::uint64_t
        most;  ///< bytes of a block; more than 128 KB of a plain file are parsed in pieces
  };
  for (const auto& [count, most] : {Kind{40, 60}, Kind{200, 3000}, Kind{20'000, 400'000}}) {
    for (int round = 0; round < (count < 1000 ? rounds(10) : 1); ++round) {
      const FourLines file(random, count);
      for (const std::string& text : {file.text, fasta_of(file.records, random)}) {
        write_file(folder / "plain", text);
        bgzf_bytes(folder / "bgzf", text, 1 + random() % most);
        gzip_bytes(folder / "gzip", text);
        for (const char* name : {"plain", "bgzf", "gzip"}) {
          for (const bool split : {false, true}) {
            for (const int threads : {1, 3}) {
              BatchSize size(most, 1);
              std::size_t batches = 0;
              const Reading reading = read_on_threads(
                  {folder / name},
                  {.threads = threads, .block_bytes = most, .split_records = split, .size = &size},
                  threads, [&] {
                    ++batches;
                    size.learn(1 + random() % (random() % 2 == 0 ? most : 5), 1, 1 + random() % 2);
                  });
              CAPTURE(name);
              CAPTURE(most);
              CHECK(reading.error.empty());
              CHECK((reading.records == file.records));
              // The text may be a multiple of a block, or end with a block that begins no record.
              if (most > 100) CHECK(batches >= text.size() / most);
            }
          }
        }
      }
    }
  }
}

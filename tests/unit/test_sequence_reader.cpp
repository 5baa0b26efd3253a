// The sequence reader: formats, line ends, block and batch borders, compression, truncation.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hts_log.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "seq/sequence_reader.hpp"

#ifdef __SANITIZE_ADDRESS__
// Where a threaded BGZF file is damaged, htslib 1.16 loses one small result object of its own.
extern "C" __attribute__((weak)) const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhts.so\n";
}
#endif

namespace {

using gsx::ReaderOptions;
using gsx::RecordBatch;
using gsx::SequenceReader;

struct Record {
  std::string name;
  std::string comment;
  std::string symbols;
  bool operator==(const Record&) const = default;
};
using Records = std::vector<Record>;

/// A folder of its own, removed at the end of the test.
class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gsx-reader-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string gzip_bytes(const std::string& folder_file, const std::string& text) {
  gzFile file = gzopen(folder_file.c_str(), "wb");
  if (!text.empty()) gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return read_file(folder_file);
}

/// BGZF with blocks of at most `block` bytes of text, so that the parser sees cuts where we like.
std::string bgzf_bytes(const std::string& folder_file, const std::string& text,
                       std::size_t block = 0xff00) {
  BGZF* file = bgzf_open(folder_file.c_str(), "w1");
  REQUIRE(file != nullptr);
  for (std::size_t at = 0; at < text.size(); at += block) {
    const std::string piece = text.substr(at, block);
    REQUIRE(bgzf_write(file, piece.data(), piece.size()) == static_cast<ssize_t>(piece.size()));
    REQUIRE(bgzf_flush(file) == 0);
  }
  REQUIRE(bgzf_close(file) == 0);
  return read_file(folder_file);
}

/// Adds a batch's entries to `all`, joining a continued record, and checks the batch's numbers.
void add_batch(const RecordBatch& batch, Records& all) {
  const std::size_t size = batch.size();
  const bool sound = size != 0 && batch.name_ends.size() == size &&
                     batch.comment_ends.size() == size &&
                     batch.symbol_ends.back() == batch.symbols.size() &&
                     batch.first_record + (batch.continues ? 1 : 0) == all.size();
  REQUIRE(sound);
  for (std::size_t i = 0; i < size; ++i) {
    const Record record{std::string(batch.name(i)), std::string(batch.comment(i)),
                        std::string(batch.sequence(i))};
    if (i == 0 && batch.continues) {
      const bool continued = !record.symbols.empty() && record.name == all.back().name &&
                             record.comment == all.back().comment;
      REQUIRE(continued);
      all.back().symbols += record.symbols;
    } else {
      all.push_back(record);
    }
  }
}

Records read_all(const std::vector<std::string>& paths, ReaderOptions options = {}) {
  SequenceReader reader(paths, options);
  RecordBatch batch;
  Records all;
  while (reader.next(batch))
    add_batch(batch, all);
  CHECK(batch.size() == 0);
  CHECK(batch.symbols.empty());
  CHECK(!reader.next(batch));
  return all;
}

/// The message of the InputError that reading ends with, or "" when there is none.
std::string error_of(const std::vector<std::string>& paths, ReaderOptions options = {}) {
  try {
    SequenceReader reader(paths, options);
    RecordBatch batch;
    while (reader.next(batch)) {
    }
  } catch (const gsx::InputError& error) {
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Reads `text` as a plain file and as BGZF cut at several block sizes, with several batch sizes,
/// whole and split, and checks that all give `expected`.
void check_text(const std::string& text, const Records& expected) {
  const TempFolder folder;
  std::vector<std::string> paths = {write_file(folder / "plain", text)};
  for (const std::size_t block : {1, 2, 3, 7, 1000}) {
    const std::string path = folder / ("block" + std::to_string(block));
    bgzf_bytes(path, text, block);
    paths.push_back(path);
  }
  for (const std::string& path : paths) {
    for (const std::uint64_t batch : {0, 1, 2, 33, 40, 1 << 20}) {
      for (const bool split : {false, true}) {
        CAPTURE(path);
        CAPTURE(batch);
        CAPTURE(split);
        CHECK(read_all({path}, {1, batch, split}) == expected);
      }
    }
  }
}

/// The same for a text that is refused: every way of reading it gives the same message.
void check_error(const std::string& text, const std::string& expected) {
  const TempFolder folder;
  const std::string path = write_file(folder / "f", text);
  const std::string message = error_of({path});
  CAPTURE(message);
  CHECK(has(message, expected));
  CHECK(message.starts_with(path + ": "));
  for (const std::size_t block : {1, 2, 5}) {
    bgzf_bytes(path, text, block);
    CHECK(error_of({path}) == message);
    CHECK(error_of({path}, {1, 1, true}) == message);
  }
}

std::string random_letters(std::mt19937& random, std::size_t length) {
  std::string text(length, 'A');
  for (char& c : text)
    c = "ACGTNacgtn*-"[random() % 12];
  return text;
}

std::string random_qualities(std::mt19937& random, std::size_t length) {
  std::string text(length, '!');
  for (char& c : text)
    c = "@>+!~IF#"[random() % 8];
  return text;
}

Records random_records(std::mt19937& random) {
  Records records(1 + random() % 12);
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].name = random() % 8 == 0 ? "" : "r" + std::to_string(random() % 1000);
    if (random() % 2 == 0 && !records[i].name.empty()) records[i].comment = "some words\tand @>+";
    const std::size_t kind = random() % 6;
    const std::size_t length = kind == 0 ? 0 : kind == 1 ? random() % 300 : random() % 60;
    records[i].symbols = random_letters(random, length);
  }
  return records;
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& line_end) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += width)
    out += text.substr(at, width) + line_end;
  return out;
}

std::string header_of(const Record& record) {
  return record.name + (record.comment.empty() ? "" : " " + record.comment);
}

std::string fasta_of(const Records& records, std::mt19937& random) {
  const std::string line_end = random() % 3 == 0 ? "\r\n" : "\n";
  const std::size_t width = random() % 3 == 0 ? 1 + random() % 5 : 16 + random() % 40;
  std::string text;
  for (const Record& record : records) {
    text += ">" + header_of(record) + line_end + wrapped(record.symbols, width, line_end);
    if (random() % 5 == 0) text += line_end;
  }
  return text;
}

std::string fastq_of(const Records& records, std::mt19937& random) {
  const std::string line_end = random() % 3 == 0 ? "\r\n" : "\n";
  const bool wrap = random() % 3 == 0;
  std::string text;
  for (const Record& record : records) {
    // Where the sequence takes one line, so must the qualities.
    const std::size_t width = wrap ? 1 + record.symbols.size() / 2 : 100000;
    text += "@" + header_of(record) + line_end;
    text += record.symbols.empty() ? line_end : wrapped(record.symbols, width, line_end);
    text += (random() % 2 == 0 ? "+" : "+" + header_of(record)) + line_end;
    const std::string qualities = random_qualities(random, record.symbols.size());
    text += qualities.empty() ? line_end : wrapped(qualities, width, line_end);
  }
  return text;
}

std::uint32_t seed() {
  const char* text = std::getenv("GSX_SEED");
  return text != nullptr ? static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)) : 20240607u;
}

}  // namespace

TEST_SUITE_BEGIN("sequence_reader");

TEST_CASE("FASTA: wrapped lines, comments, case, empty records and names") {
  check_text(">a first one\nACG\nTN\nac\n>b\n>c\tx\n\n>\nG\n> word\nT\n",
             {{"a", "first one", "ACGTNac"},
              {"b", "", ""},
              {"c", "x", ""},
              {"", "", "G"},
              {"", "word", "T"}});
}

TEST_CASE("FASTA: CRLF, blank lines, blanks in lines, no last line end") {
  check_text("\r\n\n>a one  two \r\nAC GT\r\n\r\n\t G\tT \r\n>b \t c\r\nA\r\n\n\n>d\nACGT",
             {{"a", "one  two ", "ACGTGT"}, {"b", "c", "A"}, {"d", "", "ACGT"}});
  check_text(">a\nAC\r", {{"a", "", "AC"}});
  check_text(">a\r", {{"a", "", ""}});
  check_text(">", {{"", "", ""}});
  check_text("  \t>a\n \nA", {{"a", "", "A"}});
  check_text(">a\n+AC\n;\n", {{"a", "", "+AC;"}});
}

TEST_CASE("FASTA: equal, longer and shorter lines around the fast path's widths") {
  std::string text;
  Records expected;
  for (const std::size_t width : {1, 15, 16, 17, 33, 60}) {
    for (const char* line_end : {"\n", "\r\n"}) {
      std::mt19937 random(seed());
      const std::string symbols = random_letters(random, width * 20 + width / 2);
      text += ">w" + std::to_string(width) + line_end + wrapped(symbols, width, line_end);
      // A blank, a longer and a shorter line among the equal ones.
      text += wrapped(symbols, width, line_end) + symbols.substr(0, width / 2) + " A" + line_end;
      text += wrapped(symbols.substr(0, width * 3), width, line_end) + symbols + line_end;
      expected.push_back({"w" + std::to_string(width), "",
                          symbols + symbols + symbols.substr(0, width / 2) + "A" +
                              symbols.substr(0, width * 3) + symbols});
    }
  }
  check_text(text, expected);
}

TEST_CASE("FASTQ: four lines, wrapped, empty reads, qualities that look like marks") {
  check_text("@a x y\nACGT\n+\n@@@@\n@b\nAC\n+b\n>+\n\n@c\n\n+\n\n@d\n+\n@e\nN\n+\n@",
             {{"a", "x y", "ACGT"}, {"b", "", "AC"}, {"c", "", ""}, {"d", "", ""}, {"e", "", "N"}});
  check_text("@a\nACG\nTA\n+\n@+\n>@\n@\n@b\r\nA\r\n+\r\n+\r\n",
             {{"a", "", "ACGTA"}, {"b", "", "A"}});
  check_text("@a\nAC GT \n+\nII\tII\n@\nA\n+\nI\r", {{"a", "", "ACGT"}, {"", "", "A"}});
  check_text("@a\nAC\n\n+\n\nII\n", {{"a", "", "AC"}});
  check_text("@a\n\n+", {{"a", "", ""}});
  check_text("@a\nACGTACGTACGTACGTACGT\n+\nIIIIIIIIIIIIIII>IIII\n\n \n",
             {{"a", "", "ACGTACGTACGTACGTACGT"}});
}

TEST_CASE("random records come back whatever the form, the blocks and the batches") {
  std::mt19937 random(seed());
  for (int round = 0; round < 12; ++round) {
    CAPTURE(seed());
    CAPTURE(round);
    const Records records = random_records(random);
    check_text(fasta_of(records, random), records);
    check_text(fastq_of(records, random), records);
  }
}

TEST_CASE("random bytes have one outcome, however they are cut") {
  const TempFolder folder;
  const std::string path = folder / "f";
  std::mt19937 random(seed());
  const auto outcome = [&](ReaderOptions options) -> std::pair<std::string, Records> {
    try {
      return {"", read_all({path}, options)};
    } catch (const gsx::InputError& error) {
      // The place counts; of two faults in one line either may be named.
      const std::string what = error.what();
      return {what.substr(0, what.find(':', path.size() + 1)), {}};
    }
  };
  int accepted = 0;
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(seed());
    CAPTURE(round);
    std::string text(1, random() % 2 == 0 ? '>' : '@');
    const std::size_t length = random() % 40;
    for (std::size_t i = 0; i < length; ++i)
      text += "@>+\n\n\n\r AAI\t\0"[random() % (round % 2 == 0 ? 13 : 6)];
    // Half of the FASTQ rounds have a whole record, so that more than the first line is tried.
    if (text[0] == '@' && random() % 2 == 0) text = "@r\nACGT\n+\nIIII\n" + text;
    write_file(path, text);
    const auto expected = outcome({});
    accepted += expected.first.empty() ? 1 : 0;
    CHECK(outcome({1, 1, true}) == expected);
    for (const std::size_t block : {1, 2, 5}) {
      bgzf_bytes(path, text, block);
      CHECK(outcome({1, 2, block != 1}) == expected);
    }
  }
  CHECK(accepted > 50);
}

TEST_CASE("lines and records longer than a block of the file") {
  const TempFolder folder;
  std::mt19937 random(seed());
  const std::string symbols = random_letters(random, 900000);
  const std::string name(700000, 'n');
  const std::string fasta = ">" + name + " c\n" + symbols + "\n>b\n" + wrapped(symbols, 61, "\r\n");
  const std::string fastq = "@" + name + "\n" + symbols + "\n+" + name + "\n" + symbols + "\n";
  for (const bool split : {false, true}) {
    const ReaderOptions options{1, 100000, split};
    CHECK(read_all({write_file(folder / "a", fasta)}, options) ==
          Records{{name, "c", symbols}, {"b", "", symbols}});
    CHECK(read_all({write_file(folder / "q", fastq)}, options) == Records{{name, "", symbols}});
  }
  // Many reads, so that every part of one meets a block border.
  std::string many;
  Records expected;
  for (int i = 0; i < 9000; ++i) {
    const std::string read = random_letters(random, 40 + random() % 40);
    many += "@r" + std::to_string(i) + "\n" + read + "\n+\n" +
            random_qualities(random, read.size()) + "\n";
    expected.push_back({"r" + std::to_string(i), "", read});
  }
  CHECK(read_all({write_file(folder / "m", many)}) == expected);
  bgzf_bytes(folder / "m.gz", many);
  CHECK(read_all({folder / "m.gz"}) == expected);
}

TEST_CASE("batches end where they should") {
  const TempFolder folder;
  const std::string path = write_file(folder / "f", ">a\n" + std::string(1000, 'A') + "\n>b\nCC\n");
  RecordBatch batch;
  SUBCASE("a batch of whole records holds at least one") {
    SequenceReader reader({path}, {1, 10, false});
    REQUIRE(reader.next(batch));
    CHECK(batch.size() == 1);
    CHECK(batch.symbols.size() == 1000);
    REQUIRE(reader.next(batch));
    CHECK(batch.first_record == 1);
    CHECK(batch.name(0) == "b");
    CHECK(!reader.next(batch));
  }
  SUBCASE("a split record fills its batches exactly") {
    SequenceReader reader({path}, {1, 500, true});
    REQUIRE(reader.next(batch));
    CHECK(batch.symbols.size() == 500);
    CHECK(!batch.continues);
    REQUIRE(reader.next(batch));
    CHECK(batch.symbols.size() == 500);
    CHECK(batch.continues);
    CHECK(batch.first_record == 0);
    REQUIRE(reader.next(batch));  // the record ended with its batch: nothing of it is left
    CHECK(!batch.continues);
    CHECK(batch.first_record == 1);
    CHECK(batch.sequence(0) == "CC");
    CHECK(!reader.next(batch));
  }
  SUBCASE("a record may follow the end of a split one in the same batch") {
    SequenceReader reader({path}, {1, 600, true});
    REQUIRE(reader.next(batch));
    REQUIRE(reader.next(batch));
    CHECK(batch.continues);
    REQUIRE(batch.size() == 2);
    CHECK(batch.sequence(0).size() == 400);
    CHECK(batch.name(1) == "b");
    CHECK(batch.sequence(1) == "CC");
  }
  SUBCASE("empty records count too") {
    std::string text;
    for (int i = 0; i < 10000; ++i)
      text += ">\n";
    for (const bool split : {false, true}) {
      SequenceReader reader({write_file(folder / "e", text)}, {1, 3200, split});
      std::size_t records = 0;
      while (reader.next(batch)) {
        CHECK(batch.first_record == records);
        CHECK(batch.size() <= 100);
        records += batch.size();
      }
      CHECK(records == 10000);
    }
  }
  SUBCASE("batches go on over files") {
    const std::string q = write_file(folder / "q", "@q\nGG\n+\nII\n");
    CHECK(read_all({q, path, q}) == Records{{"q", "", "GG"},
                                            {"a", "", std::string(1000, 'A')},
                                            {"b", "", "CC"},
                                            {"q", "", "GG"}});
    SequenceReader reader({q, q, q}, {});
    REQUIRE(reader.next(batch));
    CHECK(batch.size() == 3);
    CHECK(reader.bytes_read() == 33);
    SequenceReader moved = std::move(reader);
    CHECK(!moved.next(batch));
    CHECK(moved.bytes_read() == 33);
  }
}

TEST_CASE("malformed FASTA is refused with record and line") {
  check_error(">a\nAC\n>b\nA\rC\n", "record 2, line 4: a carriage return inside a line");
  check_error(">a\rACGT\r>b\rAC\r", "record 1, line 1: a carriage return inside a line");
  check_error(">a\nAC\r\r\n", "record 1, line 2: a carriage return inside a line");
  check_error(">a\r\r\nAC\n", "line 1: a carriage return inside a line");
  check_error(std::string(">a\nAC\nG\0T\n", 10), "record 1, line 3: control byte 0x00 inside");
  check_error(std::string(">a\0b\nAC\n", 8), "record 1, line 1: a NUL byte inside a header");
  check_error(
      ">a\nACGTACGTACGTACGTACGT\x7f"
      "ACGT\n",
      "line 2: control byte 0x7F inside");
  check_error(">a\nAC\x1b[2J\n", "control byte 0x1B inside a sequence line");
  check_error(">a\nACGT>b\nAC\n", "record 1, line 2: '>' inside a sequence line");
  check_error(">a\n >b\nAC\n", "'>' inside a sequence line");
  check_error(">a\nAC\n@r\nAC\n+\nII\n", "record 1, line 3: a line that begins with '@'");
  std::string equal = ">a\n";
  for (int i = 0; i < 40; ++i)
    equal += std::string(i == 30 ? "@" : "A") + std::string(29, 'C') + "\n";
  check_error(equal, "record 1, line 32: a line that begins with '@'");
  check_text(
      ">a b\x01"
      "c\nAC\n",
      {{"a",
        "b\x01"
        "c",
        "AC"}});
  check_text(">\xC3\xA9\n\xC3\xA9\n", {{"\xC3\xA9", "", "\xC3\xA9"}});
}

TEST_CASE("malformed FASTQ is refused with record and line") {
  check_error("@a\nAC\n+\nII\n>b\nAC\n", "record 2, line 5: a FASTA record in a FASTQ file");
  check_error("@a\nAC\n>b\nAC\n", "record 1, line 3: '>' inside a sequence line");
  check_error("@a\nAC\n+\nII\nAC\n", "record 2, line 5: a FASTQ record must begin with '@'");
  check_error("@a\nAC\n@b\nAC\n", "record 1, line 3: a line that begins with '@' where the '+'");
  check_error("@a\nA\n+\nI\n@b\nACGT\n+\nIII\n@c\nA\n+\nI\n",
              "record 2, line 8: 3 quality values for 4 symbols");
  check_error("@a\nACGT\n+\nIIIII\n", "line 4: more than 4 quality values for 4 symbols");
  check_error("@a\nAC\nGT\n+\nII\nIII\n", "line 6: more than 4 quality values for 4 symbols");
  check_error("@a\n\n+\nI\n", "record 2, line 4: a FASTQ record must begin with '@'");
  check_error("@a\nAC\n+\nI\x01\n", "line 4: control byte 0x01 inside a quality line");
  check_error("@a\nAC\n+\nI\rI\n", "line 4: a carriage return inside a line");
  check_error("@a\nAC\n+a\rb\nII\n", "line 3: a carriage return inside a line");
  check_error("@a\rAC\r+\rII\r", "line 1: a carriage return inside a line");
}

TEST_CASE("FASTQ cut anywhere is either refused or ends between records") {
  const TempFolder folder;
  // Each record's text up to where it is complete, and what may still follow of it.
  const std::vector<std::pair<std::string, std::string>> parts = {{"@a b\nACGT\n+\nIIII", "\n"},
                                                                  {"@c\nAC\nGT\n+c\nII\nII", "\n"},
                                                                  {"@e\n\n+", "\n\n"},
                                                                  {"@f\nA\n+\nI", "\n"}};
  const Records all = {{"a", "b", "ACGT"}, {"c", "", "ACGT"}, {"e", "", ""}, {"f", "", "A"}};
  const std::string path = folder / "q";
  std::string before;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string text = before + parts[i].first + parts[i].second;
    const std::size_t whole = before.size() + parts[i].first.size();
    for (std::size_t length = before.size() + 1; length <= text.size(); ++length) {
      CAPTURE(length);
      write_file(path, text.substr(0, length));
      const std::string message = error_of({path});
      if (length < whole) {
        CHECK(message.starts_with(path + ": record " + std::to_string(i + 1) + ", line "));
        CHECK(has(message, "the file ends inside this record"));
      } else {
        CHECK(read_all({path}) == Records(all.begin(), all.begin() + static_cast<long>(i) + 1));
      }
    }
    before = text;
  }
  CHECK(has(error_of({write_file(path, before.substr(0, 20))}), "record 2, line 6: "));
}

TEST_CASE("files that are not sequences are refused") {
  check_error("hello\n", "line 1: not FASTA or FASTQ: it begins with 'h'");
  check_error("\n\n  ACGT\n", "line 3: not FASTA or FASTQ: it begins with 'A'");
  check_error(std::string("\0\0\0", 3), "it begins with 0x00");
  check_error("\xFF\xAA", "it begins with 0xFF");
  check_error("+\nII\n", "it begins with '+'");
  const TempFolder folder;
  CHECK(has(error_of({write_file(folder / "z", "BZh91AY&SY")}), "looks like bzip2"));
  CHECK(has(error_of({write_file(folder / "z", "\x28\xB5\x2F\xFDxxxx")}), "looks like zstd"));
  CHECK(has(error_of({write_file(folder / "z", "\xEF\xBB\xBF>a\nAC\n")}), "byte-order mark"));
  CHECK(has(error_of({write_file(folder / "z", "\x1f")}), "it begins with 0x1F"));
}

TEST_CASE("empty input is refused") {
  const TempFolder folder;
  const std::string good = write_file(folder / "good", ">a\nAC\n");
  for (const char* text : {"", "\n", " \t\r\n\n", "\r"}) {
    const std::string plain = write_file(folder / "plain", text);
    const std::string gz = folder / "gz";
    gzip_bytes(gz, text);
    const std::string bgzf = folder / "bgzf";
    bgzf_bytes(bgzf, text);
    for (const std::string& path : {plain, gz, bgzf}) {
      CHECK(error_of({path}) == path + ": the file is empty; FASTA or FASTQ is expected");
      CHECK(has(error_of({good, path}), path + ": the file is empty"));
    }
  }
}

TEST_CASE("paths that cannot be read are refused") {
  const TempFolder folder;
  CHECK(has(error_of({folder / "none"}), "/none: cannot read it: No such file"));
  CHECK(has(error_of({folder / "new\nline"}), "/new\\x0Aline: cannot read it: No such file"));
  std::filesystem::create_directory(folder / "dir");
  CHECK(has(error_of({folder / "dir"}), "/dir: cannot read it: is a directory"));
  const std::string locked = write_file(folder / "locked", ">a\nAC\n");
  chmod(locked.c_str(), 0);
  if (access(locked.c_str(), R_OK) != 0) CHECK(has(error_of({locked}), "Permission denied"));
  // Names that htslib would take for URLs are local files like any other.
  for (const char* url : {"http://localhost:9/x", "data:,>a%0AACGT", "s3://a/b", "file:///etc/x",
                          "ftp://localhost/x", "preload:/etc/passwd", "mem:", "crypt4gh:x"}) {
    CHECK(error_of({url}) == std::string(url) + ": cannot read it: No such file or directory");
  }
  CHECK(hts_get_log_level() == HTS_LOG_OFF);
}

TEST_CASE("requests that make no sense are usage errors") {
  CHECK_THROWS_AS(SequenceReader({}, {}), gsx::UsageError);
  CHECK_THROWS_AS(SequenceReader({"-", "x", "-"}, {}), gsx::UsageError);
  CHECK_THROWS_AS(SequenceReader({"x", ""}, {}), gsx::UsageError);
  CHECK_NOTHROW(SequenceReader({"/no/such/file", "-"}, {}));
}

TEST_CASE("an error stays") {
  const TempFolder folder;
  const std::string bad = write_file(folder / "bad", "@a\nAC\n+\nI\n@b\nA\n+\nI\n");
  const std::string cut = write_file(folder / "cut", bgzf_bytes(folder / "b", ">a\nA\n", 1) + "x");
  const std::string good = write_file(folder / "good", ">a\nAC\n");
  for (const std::string& path : {bad, cut, folder / "none", write_file(folder / "e", "")}) {
    SequenceReader reader({path, good}, {2, 1, false});
    RecordBatch batch;
    std::string first;
    for (int time = 0; time < 3; ++time) {
      try {
        while (reader.next(batch)) {
        }
        FAIL("no error");
      } catch (const gsx::InputError& error) {
        if (time == 0) first = error.what();
        CHECK(error.what() == first);
      }
    }
  }
}

TEST_CASE("gzip and BGZF, one or many members, any number of threads") {
  const TempFolder folder;
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

/// Changes of a compressed file after which reading must not end as if all were well.
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
      // Some bytes carry no meaning (time, system); else the change must be noticed.
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
  const TempFolder folder;
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
  SUBCASE("BGZF, at a block's border too") {
    check_every_cut(bgzf, folder / "cut");
  }
  SUBCASE("the last block is there, the end marker is not") {
    write_file(folder / "cut", bgzf.substr(0, bgzf.size() - 28));
    for (const int threads : {1, 2}) {
      const std::string message = error_of({folder / "cut"}, {threads, 1000, false});
      CHECK(has(message, "record 2, line 11: the BGZF end-of-file marker is missing"));
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
      for (const std::string& tail : {std::string(1, '\0'), std::string(512, '\0'),
                                      std::string("garbage"), std::string(1, '\n')}) {
        write_file(folder / "cut", whole + tail);
        for (const int threads : {1, 2})
          CHECK(has(error_of({folder / "cut"}, {threads, 1000, false}), "truncated or damaged"));
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
  const TempFolder folder;
  std::mt19937 random(seed());
  const std::string text = ">a\n" + wrapped(random_letters(random, 3000000), 60, "\n");
  const std::string bytes = bgzf_bytes(folder / "f", text, 10000);
  for (int round = 0; round < 30; ++round) {
    std::string changed = bytes;
    const std::size_t at = random() % (bytes.size() - 64);
    if (round % 3 == 0) changed.resize(at);
    if (round % 3 == 1) changed.erase(at, 1 + random() % 50);
    if (round % 3 == 2) changed.replace(at, 8, "\xAA\xAA\xAA\xAA\xAA\xAA\xAA\xAA");
    const std::string path = write_file(folder / "g", changed);
    for (const int threads : {1, 2, 8}) {
      CAPTURE(seed());
      CAPTURE(round);
      CHECK(has(error_of({path}, {threads, 1 << 20, true}), "truncated or damaged"));
    }
  }
}

namespace {

/// One text, plain, gzip and BGZF, for the inputs that are not files.
struct StreamForms {
  StreamForms() {
    std::mt19937 random(seed());
    const std::string symbols = random_letters(random, 300000);
    const std::string text = ">a\n" + wrapped(symbols, 60, "\n");
    expected = {{"a", "", symbols}};
    bytes = {text, gzip_bytes(folder / "gz", text), bgzf_bytes(folder / "bgzf", text)};
  }
  TempFolder folder;
  std::vector<std::string> bytes;
  Records expected;
};

/// Writes little at a time, so that reads come back short.
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
  // One block of 65,000 symbols, repeated, is a small file of a huge record.
  const TempFolder folder;
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

TEST_SUITE_END();

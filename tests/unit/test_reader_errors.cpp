// The sequence reader: what it refuses, and its messages.
#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("malformed FASTA is refused with record and line") {
  check_error(">a\nAC\n>b\nA\rC\n", "record 2 ('b'), line 4: a carriage return inside a line");
  check_error(">a\rACGT\r>b\rAC\r", "record 1, line 1: a carriage return inside a line");
  check_error(">a\nAC\r\r\n", "record 1 ('a'), line 2: a carriage return inside a line");
  check_error(">a\r\r\nAC\n", "line 1: a carriage return inside a line");
  check_error(std::string(">a\nAC\nG\0T\n", 10),
              "record 1 ('a'), line 3: control byte 0x00 inside");
  check_error(std::string(">a\0b\nAC\n", 8), "record 1, line 1: a NUL byte inside a header");
  check_error(
      ">a\nACGTACGTACGTACGTACGT\x7f"
      "ACGT\n",
      "line 2: control byte 0x7F inside");
  check_error(">a\nAC\x1b[2J\n", "control byte 0x1B inside a sequence line");
  check_error(">a\nACGT>b\nAC\n", "record 1 ('a'), line 2: '>' inside a sequence line");
  check_error(">a\n >b\nAC\n", "'>' inside a sequence line");
  check_text(
      ">a b\x01"
      "c\nAC\n",
      {{"a",
        "b\x01"
        "c",
        "AC"}});
  check_text(">\xC3\xA9\n\xC3\xA9\n", {{"\xC3\xA9", "", "\xC3\xA9"}});
}

TEST_CASE("'@' is a symbol of a FASTA record, wherever its line begins") {
  check_text(">a\nAC\n@r\nAC\n+\n@@\n", {{"a", "", "AC@rAC+@@"}});
  check_text(">a\n@\n>@b\nA@C\n", {{"a", "", "@"}, {"@b", "", "A@C"}});
  std::string equal, symbols;
  for (int i = 0; i < 40; ++i) {
    const std::string line = std::string(i % 10 == 3 ? "@" : "A") + std::string(29, 'C');
    equal += line + "\n";
    symbols += line;
  }
  check_text(">a\n" + equal, {{"a", "", symbols}});
}

TEST_CASE("malformed FASTQ is refused with record and line") {
  check_error("@a\nAC\n+\nII\n>b\nAC\n", "record 2, line 5: a FASTA record in a FASTQ file");
  check_error("@a\nAC\n>b\nAC\n", "record 1 ('a'), line 3: '>' inside a sequence line");
  check_error("@a\nAC\n+\nII\nAC\n", "record 2, line 5: a FASTQ record must begin with '@'");
  check_error("@a\nAC\n@b\nAC\n",
              "record 1 ('a'), line 3: a line that begins with '@' where the '+'");
  check_error("@a\nA\n+\nI\n@b\nACGT\n+\nIII\n@c\nA\n+\nI\n",
              "record 2 ('b'), line 8: 3 quality values for 4 symbols");
  check_error("@a\nACGT\n+\nIIIII\n", "line 4: more than 4 quality values for 4 symbols");
  check_error("@a\nAC\nGT\n+\nII\nIII\n", "line 6: more than 4 quality values for 4 symbols");
  check_error("@a\n\n+\nI\n", "record 2, line 4: a FASTQ record must begin with '@'");
  check_error("@a\nAC\n+\nI\x01\n", "line 4: control byte 0x01 inside a quality line");
  check_error("@a\nAC\n+\nI\rI\n", "line 4: a carriage return inside a line");
  check_error("@a\nAC\n+a\rb\nII\n", "line 3: a carriage return inside a line");
  check_error("@a\rAC\r+\rII\r", "line 1: a carriage return inside a line");
}

TEST_CASE("FASTQ cut anywhere is refused, unless the cut is between records") {
  const TemporaryFolder folder;
  // The text of each record up to where it is complete, and what may still follow.
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
        CHECK(message.starts_with(path + ": record " + std::to_string(i + 1)));
        CHECK(has(message, "the file ends inside this record"));
      } else {
        CHECK(read_all({path}) == Records(all.begin(), all.begin() + static_cast<long>(i) + 1));
      }
    }
    before = text;
  }
  CHECK(has(error_of({write_file(path, before.substr(0, 20))}), "record 2 ('c'), line 6: "));
}

TEST_CASE("files that are not sequences are refused") {
  check_error("hello\n", "line 1: not FASTA or FASTQ: it begins with 'h'");
  check_error("\n\n  ACGT\n", "line 3: not FASTA or FASTQ: it begins with 'A'");
  check_error(std::string("\0\0\0", 3), "it begins with 0x00");
  check_error("\xFF\xAA", "it begins with 0xFF");
  check_error("+\nII\n", "it begins with '+'");
  const TemporaryFolder folder;
  CHECK(has(error_of({write_file(folder / "z", "BZh91AY&SY")}), "bzip2 data ends early"));
  CHECK(has(error_of({write_file(folder / "z", "\x28\xB5\x2F\xFDxxxx")}), "zstd data is damaged"));
  CHECK(has(error_of({write_file(folder / "z", "\xEF\xBB\xBF>a\nAC\n")}), "byte-order mark"));
  CHECK(has(error_of({write_file(folder / "z", "\x1f")}), "it begins with 0x1F"));
}

TEST_CASE("empty input is refused") {
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
  CHECK(has(error_of({folder / "none"}), "/none: cannot read it: No such file"));
  CHECK(has(error_of({folder / "new\nline"}), "/new\\x0Aline: cannot read it: No such file"));
  std::filesystem::create_directory(folder / "dir");
  CHECK(has(error_of({folder / "dir"}), "/dir: cannot read it: is a directory"));
  const std::string locked = write_file(folder / "locked", ">a\nAC\n");
  chmod(locked.c_str(), 0);
  if (access(locked.c_str(), R_OK) != 0) CHECK(has(error_of({locked}), "Permission denied"));
  // Names that htslib would take for URLs are ordinary local files.
  for (const char* url : {"http://localhost:9/x", "data:,>a%0AACGT", "s3://a/b", "file:///etc/x",
                          "ftp://localhost/x", "preload:/etc/passwd", "mem:", "crypt4gh:x"}) {
    const std::string error = error_of({url});
    CHECK(error.starts_with(std::string(url) + ": cannot read it: No such file or directory"));
    CHECK(has(error, "does not read URLs") == has(url, "://"));
  }
  // htslib's log level belongs to the whole process and must not change.
  const auto level = hts_get_log_level();
  check_text(">a\nAC\n", {{"a", "", "AC"}});
  CHECK(hts_get_log_level() == level);
}

TEST_CASE("invalid requests are usage errors") {
  CHECK_THROWS_AS(SequenceReader({}, {}), gsx::UsageError);
  CHECK_THROWS_AS(SequenceReader({"-", "x", "-"}, {}), gsx::UsageError);
  CHECK_THROWS_AS(SequenceReader({"x", ""}, {}), gsx::UsageError);
  CHECK_NOTHROW(SequenceReader({"/no/such/file", "-"}, {}));
}

TEST_CASE("an error is thrown again by later calls") {
  const TemporaryFolder folder;
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

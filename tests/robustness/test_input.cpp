// Bad sequence files: exit code 3, one line that names the file and the reason, and no output.
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

struct Bad {
  std::string name;
  std::string content;
  std::string says;
  Arguments more = {};
};

/// A folder with a good index and good queries, to test bad queries.
struct Place {
  TemporaryFolder folder;
  Place() {
    folder.write("good.fa", ">r\nACGTACGTAAC\n");
    CHECK(run({"index", "-q", folder / "good.fa"}).exit_code == 0);
  }
};

/// All commands that read sequences refuse the file and leave the folder unchanged.
void check_refused(const TemporaryFolder& folder, const std::string& path, const Bad& bad) {
  const auto before = folder.names();
  for (const Arguments& command :
       {Arguments{"index"}, {"sa"}, {"bwt"}, {"lz77"}, {"mappability", "-K3"}, {"repeats"}}) {
    CAPTURE(command[0]);
    Arguments arguments = command;
    arguments.insert(arguments.end(), {path, "-o", folder / "out"});
    arguments.insert(arguments.end(), bad.more.begin(), bad.more.end());
    check_failure(run(arguments), 3, {bad.says});
    CHECK(folder.names() == before);
  }
  Arguments to_stdout{"sa", path};
  to_stdout.insert(to_stdout.end(), bad.more.begin(), bad.more.end());
  check_failure(run(to_stdout), 3, {bad.says});
}

/// `count` and `locate` refuse the file as queries. They have written the header, and the answers
/// to nothing but a record 'a' before the error.
void check_refused_as_queries(const Place& place, const std::string& path,
                              const std::string& says) {
  for (const char* command : {"count", "locate"}) {
    CAPTURE(command);
    const Outcome outcome = run({command, "-x", place.folder / "good.gsx", path});
    check_error(outcome, 3, {says});
    const auto lines = lines_of(outcome.out);
    for (std::size_t i = 1; i < lines.size(); ++i)
      CHECK(lines[i].starts_with("a\t"));
    const auto before = place.folder.names();
    check_failure(run({command, "-x", place.folder / "good.gsx", path, "-o", place.folder / "out"}),
                  3, {says});
    CHECK(place.folder.names() == before);
  }
}

}  // namespace

TEST_CASE("a file that is missing, a folder, or unreadable is named") {
  const Place place;
  std::filesystem::create_directory(place.folder / "folder.fa");
  for (const auto& [name, says] : std::vector<std::pair<std::string, std::string>>{
           {"missing.fa", "No such file"}, {"folder.fa", "is a directory"}}) {
    const std::string path = place.folder / name;
    CAPTURE(path);
    if (name == "missing.fa")  // a folder would stand for an index there
      check_refused(place.folder, path, {name, "", says});
    check_failure(run({"index", path}), 3, {name, says});
    CHECK_FALSE(place.folder.has("missing.gsx"));
    CHECK_FALSE(place.folder.has("folder.gsx"));
    check_refused_as_queries(place, path, says);
    // If it is the second of two files, it is found after the first has been read.
    check_failure(run({"sa", place.folder / "good.fa", path}), 3, {name, says});
  }
}

TEST_CASE("a file that is neither FASTA nor FASTQ is refused with the reason") {
  const Place place;
  const std::vector<Bad> bads = {
      {"empty.fa", "", "empty"},
      {"blank.fa", "\n\n  \n", "empty"},
      {"text.fa", "hello world\n", "begins with 'h'"},
      {"bare.fa", "ACGTACGT\n", "begins with 'A'"},
      {"binary.fa", std::string("\0\1\2\3", 4), "0x00"},
      {"xz.fa",
       "\xFD"
       "7zXZ....",
       "xz"},
      {"zip.fa", "PK\x03\x04....", "zip"},
      {"nul.fa", std::string(">r\nAC\0GT\n", 9), "0x00"},
      {"bell.fa", ">r\nAC\x07GT\n", "line 2"},
      {"joined.fa", ">r\nACGT>s\nACGT\n", "'>' inside"},
      {"cut.fq", "@a\nACGT\n+\nII", "record 1"},
      {"cut2.fq", "@a\nACGT\n+\nIIII\n@b\nAC", "record 2"},
      {"noplus.fq", "@a\nACGT\n", "truncated"},
      {"short.fq", "@a\nACGT\n+\nII\n@bc\nACGT\n+\nIIII\n", "quality"},
      {"long.fq", "@a\nACGT\n+\nIIIII\n", "quality"},
  };
  for (const Bad& bad : bads) {
    CAPTURE(bad.name);
    const std::string path = place.folder.write(bad.name, bad.content);
    check_refused(place.folder, path, bad);
    check_failure(run({"sa", path}), 3, {bad.name});
    // A file without queries is not an error, and lines without a mark are a list.
    const bool is_list = bad.says.starts_with("begins with");
    if (bad.says != "empty" && !is_list) check_refused_as_queries(place, path, bad.says);
    check_failure(run({"sa", "-"}, {.input = bad.content}), 3, {"standard input", bad.says});
  }
}

TEST_CASE("a file with nothing to index is refused") {
  const Place place;
  const std::vector<Bad> bads = {
      {"headers.fa", ">a\n>b\n>c\n", "empty"},
      {"header.fa", ">", "empty"},
      {"all_n.fa", ">a\nNNNNNNNNNN\n>b\nNNNN\n", "no A, C, G or T"},
      {"gaps.fa", ">a\n----\n", "no A, C, G or T", {"--alphabet", "dna"}},
      {"masked.fa", ">a\nacgtacgt\n", "no A, C, G or T", {"--soft-mask", "split"}},
  };
  for (const Bad& bad : bads) {
    CAPTURE(bad.name);
    check_refused(place.folder, place.folder.write(bad.name, bad.content), bad);
  }
}

TEST_CASE("symbols outside the alphabet are refused, with record and position") {
  const Place place;
  const std::vector<Bad> bads = {
      {"protein.fa", ">p\nMKVLAAGIVGLQEFPEIL\n", "looks like protein", {"--alphabet", "dna"}},
      {"digits.fa", ">p\nMKVL1AAG\n", "line 2: '1'", {"--alphabet", "protein"}},
      {"n.fa", ">a\nACGT\n>b x\nACGNT\n", "record 2 ('b'), line 4: 'N'", {"--ambiguous", "error"}},
      {"mixed.fa", ">a\nACGT\n@b\nACGT\n+\nIIII\n", "line 3: '@'"},
      {"odd.fa", ">p\n1234567890\n", "--alphabet"},
  };
  for (const Bad& bad : bads) {
    CAPTURE(bad.name);
    check_refused(place.folder, place.folder.write(bad.name, bad.content), bad);
  }
}

TEST_CASE("a truncated compressed file is refused, wherever it was cut") {
  const Place place;
  Random random(8);
  const std::string fasta = ">r\n" + random_string(random, 1500, "ACGT") + '\n';
  write_gzip(place.folder / "whole.gz", fasta);
  write_bgzf(place.folder / "whole.bgz", fasta);
  int cuts = 0;
  for (const char* kind : {"gz", "bgz"}) {
    const std::string whole = place.folder.read(std::string("whole.") + kind);
    const std::string expected = output_of(run({"sa", "-"}, {.input = whole}));
    CHECK(expected.size() == 1500 * 4);
    // One byte is not enough to recognise gzip.
    for (std::size_t length = 2; length < whole.size(); length += 7, ++cuts) {
      CAPTURE(length);
      const std::string path = place.folder.write("cut.gz", whole.substr(0, length));
      check_failure(run({"sa", "-q", path}), 3, {"cut.gz"});
    }
    const std::string path = place.folder.write("cut.gz", whole.substr(0, whole.size() / 2));
    check_refused(place.folder, path, {"cut.gz", "", "cut.gz"});
    check_refused_as_queries(place, path, "cut.gz");
    for (const std::size_t missing : {std::size_t{1}, std::size_t{8}, std::size_t{28}}) {
      CAPTURE(missing);
      const std::string cut = whole.substr(0, whole.size() - missing);
      check_failure(run({"sa", "-"}, {.input = cut}), 3, {"standard input"});
    }
  }
  CHECK(cuts > 100);
}

TEST_CASE("a compressed file with a damaged byte is refused or gives the right records") {
  const TemporaryFolder folder;
  Random random(8);
  const std::string fasta = ">r\n" + random_string(random, 400, "ACGT") + '\n';
  for (const bool bgzf : {false, true}) {
    bgzf ? write_bgzf(folder / "whole", fasta) : write_gzip(folder / "whole", fasta);
    const std::string whole = folder.read("whole");
    const std::string expected = output_of(run({"sa", "-q", folder / "whole"}));
    for (std::size_t at = 0; at < whole.size(); at += 5) {
      CAPTURE(at);
      std::string bad = whole;
      bad[at] = static_cast<char>(bad[at] ^ 0x20);
      const Outcome outcome = run({"sa", "-q", folder.write("bad", bad)});
      if (outcome.exit_code == 0) {  // bytes without meaning: time, operating system
        CHECK((outcome.out == expected));
      } else {
        check_failure(outcome, 3, {"bad"});
      }
    }
  }
}

TEST_CASE(
    "queries that become invalid halfway: those before are answered, and the exit code is 3") {
  const Place place;
  std::string queries, fastq, answers = "query_id\tlength\tcount\tcount_fwd\tcount_rev\n";
  for (int q = 0; q < 100; ++q) {
    queries += ">q" + std::to_string(q) + "\nACGT\n";
    fastq += "@q" + std::to_string(q) + "\nACGT\n+\n@III\n";
    answers += "q" + std::to_string(q) + "\t4\t4\t2\t2\n";
  }
  const std::string path = place.folder.write("bad.fq", fastq + "@bad\nACGT\n+\nIII\n" + fastq);
  for (const char* batch : {"1", "8", "100"}) {
    for (const char* threads : {"1", "4"}) {
      CAPTURE(batch);
      CAPTURE(threads);
      const Outcome outcome =
          run({"count", "-x", place.folder / "good.gsx", "-", "--batch", batch, "-t", threads},
              {.input = queries + ">bad\nAC\x01GT\n>q\nACGT\n"});
      check_error(outcome, 3, {"standard input", "record 101", "0x01"});
      CHECK(outcome.out == answers);
      const Outcome file =
          run({"count", "-x", place.folder / "good.gsx", path, "--batch", batch, "-t", threads});
      check_error(file, 3, {"bad.fq", "record 101 ('bad'), line 404", "3 quality values"});
      CHECK(file.out == answers);
    }
  }
}

TEST_CASE("an error in the first query ends all threads, every time") {
  const Place place;
  const std::string path = place.folder.write("bad.fa", "@no\nACGT\n");
  for (int i = 0; i < 60; ++i) {  // the threads meet in a different order each time
    const Outcome outcome = run({"count", "-q", "-x", place.folder / "good.gsx", path, "-t", "4"},
                                {.timeout_seconds = 30});
    check_error(outcome, 3, {"bad.fa"});
  }
}

TEST_CASE("hostile names in a message cannot break its line") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a\nb\x1b[2J.fa", "x");
  const Outcome outcome = run({"sa", path});
  check_failure(outcome, 3, {"a\\x0Ab\\x1B[2J.fa"});
  check_failure(run({"sa", "--ambiguous", "error", "-"}, {.input = ">r\x1b[2J\nACGTN\n"}), 3,
                {"r\\x1B[2J"});
}

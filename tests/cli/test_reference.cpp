// -r: sequences are indexed in memory and searched, with the same answers as an index file.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

const std::string genome = ">a first\nACGTTGCAACGTNNACGATTACA\n>b\nGGGACGTACGT\n";

/// Names of all files in a folder, sorted.
std::string files_of(const RunOptions& here) {
  return run_shell("find . -mindepth 1 | sort", here).out;
}

}  // namespace

TEST_CASE("-r gives what an index of the same sequences gives, and writes no file") {
  const TemporaryFolder folder, other;
  folder.write("g.fa", genome);
  folder.write("h.fa", ">c\nACGTACGA\n");
  folder.write("q.fa", ">1\nACGT\n>2\nTTT\n>3\nGATTACA\n");
  const RunOptions here = {.folder = folder.path()};
  REQUIRE(run({"index", "g.fa", "h.fa", "-o", other / "both.gsx"}, here).exit_code == 0);
  const std::string before = files_of(here);
  for (const Arguments& command :
       {Arguments{"count"}, Arguments{"count", "--by-record"}, Arguments{"locate"},
        Arguments{"locate", "--bed"}, Arguments{"locate", "--paf", "-t", "2"},
        Arguments{"locate", "--jsonl", "--max-hits", "1"},
        Arguments{"locate", "--sort", "position"}}) {
    CAPTURE(command);
    Arguments indexed = command, direct = command;
    indexed.insert(indexed.end(), {"-x", other / "both.gsx", "-p", "CGT", "q.fa"});
    direct.insert(direct.end(), {"-r", "g.fa", "--reference", "h.fa", "-p", "CGT", "q.fa"});
    const Outcome expected = run(indexed, here), found = run(direct, here);
    CHECK(found.exit_code == 0);
    CHECK(found.out == expected.out);
    CHECK(found.out.size() > 40);
  }
  CHECK(files_of(here) == before);
}

TEST_CASE("-r needs no folder for temporary files") {
  const TemporaryFolder folder;
  folder.write("g.fa", genome);
  const Outcome outcome = run_shell(
      "TMPDIR=/nonexistent \"$gsx\" count --no-header -r g.fa -p ACGT", {.folder = folder.path()});
  CHECK(output_of(outcome) == "ACGT\t4\t8\t4\t4\n");
}

TEST_CASE("-r reads standard input if the queries do not") {
  const TemporaryFolder folder;
  folder.write("g.fa", genome);
  folder.write("q.fa", ">q\nACGT\n");
  const RunOptions here = {.folder = folder.path()};
  CHECK(run_shell("\"$gsx\" count --no-header -r - q.fa < g.fa", here).out == "q\t4\t8\t4\t4\n");
  const Outcome both = run({"count", "-r", "-", "-"}, here);
  CHECK(both.exit_code == 2);
  CHECK(both.err.find("'-' is given twice") != std::string::npos);
}

TEST_CASE("-r refuses what it cannot search, before any output") {
  const TemporaryFolder folder;
  folder.write("g.fa", genome);
  folder.write("n.fa", ">n\nNNNN\n");
  const RunOptions here = {.folder = folder.path()};
  REQUIRE(run({"index", "g.fa"}, here).exit_code == 0);
  const auto fails = [&](const Arguments& arguments, int code, const std::string& says) {
    CAPTURE(arguments);
    const Outcome outcome = run(arguments, here);
    CHECK(outcome.exit_code == code);
    CHECK(outcome.out.empty());
    CAPTURE(outcome.err);
    CHECK(outcome.err.find(says) != std::string::npos);
  };
  fails({"count", "-r", "g.fa", "-x", "g.gsx", "-p", "A"}, 2, "-x and -r");
  fails({"count", "-r", "g.gsx", "-p", "A"}, 2, "name it by -x");
  fails({"count", "-r", "g.fa", "g.gsx", "-p", "A"}, 2, "is an index, not queries");
  fails({"count", "-r", "none.fa", "-p", "A"}, 3, "none.fa");
  fails({"count", "-r", "n.fa", "-p", "A"}, 3, "no A, C, G or T");
  folder.write("mixed.fa",
               ">d\n" + std::string(200, 'A') + "\n>p\nMKVLAWMKVLAW\n");  // count has no --alphabet
  fails({"count", "-r", "mixed.fa", "-p", "A"}, 3,
        "looks like protein, not DNA; make an index of it with gsx index --alphabet, and name "
        "that by -x");
  fails({"count", "-r", "g.fa"}, 2, "no queries");
  fails({"count", "-r", "g.fa", "-p", "A", "-o", "g.fa"}, 2, "g.fa");
  fails({"count", "-r", "g.fa", "-p", "A", "--memory-limit", "1MB"}, 6, "memory");
}

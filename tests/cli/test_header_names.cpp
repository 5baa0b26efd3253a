// Names of records: the first word of a header, also behind a blank, or with --whole-header all of
// the line.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/index_file.hpp"
#include "support/program.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Names with blanks, whose first words are equal.
constexpr const char* islands =
    ">iso/New Town/1\nACGTACGTAAGG\n> iso/New York/2 \nTTACGTACGTAACC\n";

struct Folder {
  TemporaryFolder folder;
  Folder() { folder.write("t.fa", islands); }
  Outcome gsx(const Arguments& arguments, const std::string& input = "") const {
    return run(arguments, {.input = input, .folder = folder.path()});
  }
  std::string out(const Arguments& arguments, const std::string& input = "") const {
    const Outcome outcome = gsx(arguments, input);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    return outcome.out;
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a blank behind the mark of a header does not empty the name") {
  const Folder all;
  const std::string fasta = "> seq0 x\nGACGTACGTAA\n>\tseq1\nGGGTACGTAC\n";
  all.folder.write("blank.fa", fasta);
  const Arguments query = {"-q",         "-p",       "ACGTACGTAA", "-p",
                           "GGGTACGTAC", "--strand", "fwd",        "--bed"};
  const std::string expected = "seq0\t1\t11\tACGTACGTAA\t0\t+\nseq1\t0\t10\tGGGTACGTAC\t0\t+\n";
  Arguments direct = {"locate", "-r", "blank.fa"}, indexed = {"locate", "-x", "blank.gsx"};
  for (Arguments* arguments : {&direct, &indexed})
    arguments->insert(arguments->end(), query.begin(), query.end());
  CHECK(all.out(direct) == expected);
  CHECK(all.out({"index", "-q", "blank.fa"}).empty());
  CHECK(all.out(indexed) == expected);
  CHECK(all.out({"extract", "-q", "blank.gsx", "seq1"}) == ">seq1\nGGGTACGTAC\n");
  CHECK(has(all.out({"extract", "-q", "blank.gsx"}), ">seq0 x\n"));
  CHECK(all.out({"count", "-q", "--no-header", "blank.gsx", "-"}, "@ q a\nACGTA\n+\nIIIII\n") ==
        "q\t5\t5\t3\t2\n");
}

TEST_CASE("a warning says why names are equal, and names --whole-header where it helps") {
  const Folder all;
  const Outcome cut = all.gsx({"count", "-r", "t.fa", "-p", "ACGTACGTA", "--by-record"});
  CHECK(has(cut.err, "several records have the name 'iso/New', the first word of their headers"));
  CHECK(has(cut.err, "--whole-header"));
  all.folder.write("same.fa", ">a x\nACGTACGTA\n>a x\nACGTACGTA\n");
  for (const Arguments& arguments :
       std::vector<Arguments>{{"index", "same.fa"}, {"sa", "t.fa", "-o", "t.sa"}}) {
    const Outcome outcome = all.gsx(arguments);
    CHECK(has(outcome.err, "several records have the name"));
    CHECK_FALSE(has(outcome.err, "--whole-header"));
  }
  CHECK_FALSE(has(all.gsx({"index", "--whole-header", "t.fa"}).err, "several records"));
}

TEST_CASE("with --whole-header, names are header lines in every output") {
  const Folder all;
  CHECK(all.out({"index", "-q", "--whole-header", "t.fa"}).empty());
  const std::string counts =
      "query_id\ttarget_id\tcount\tcount_fwd\tcount_rev\n"
      "ACGTACGTAA\tiso/New Town/1\t1\t1\t0\nACGTACGTAA\tiso/New York/2\t2\t1\t1\n";
  CHECK(all.out({"count", "-q", "t.gsx", "-p", "ACGTACGTAA", "--by-record"}) == counts);
  CHECK(all.out({"count", "-q", "-r", "t.fa", "--whole-header", "-p", "ACGTACGTAA",
                 "--by-record"}) == counts);
  const std::string bed = all.out({"locate", "-q", "t.gsx", "-p", "GTACGTAAC", "--bed"});
  CHECK(bed.starts_with("iso/New York/2\t4\t13\tGTACGTAAC\t0\t+\n"));
  CHECK(all.out({"extract", "-q", "t.gsx", "-R", "-"}, bed) ==
        ">GTACGTAAC::iso/New York/2:4-13(+)\nGTACGTAAC\n");
  CHECK(all.out({"extract", "-q", "t.gsx", "iso/New York/2"}) ==
        ">iso/New York/2\nTTACGTACGTAACC\n");
  CHECK(all.out({"extract", "-q", "t.gsx", "iso/New Town/1:1-4"}) == ">iso/New Town/1:1-4\nACGT\n");
  CHECK(has(all.out({"verify", "-q", "t.gsx", "--against", "t.fa"}), "ok"));
  CHECK(all.out({"count", "-q", "t.gsx", "--whole-header", "--no-header", "-"},
                ">q 1\nACGTA\n> q 2\nAAGG\n") == "q 1\t5\t7\t4\t3\nq 2\t4\t1\t1\t0\n");
  CHECK(has(all.out({"mem", "-q", "-L", "5", "-r", "t.fa", "--whole-header", "--pairs",
                     "--no-header", "-"},
                    ">q 1\nTTACGTACGTAACC\n"),
            "q 1\t"));
  CHECK(has(all.out({"repeats", "-q", "-L", "8", "--bed", "--whole-header", "t.fa"}),
            "iso/New York/2\t"));
  CHECK(
      has(all.out({"mappability", "-q", "-K", "8", "--whole-header", "t.fa"}), "iso/New York/2\t"));
  CHECK(has(all.out({"offtarget", "-q", "--pam", "GG", "-p", "ACGTACGTAA", "-o", "guides", "-r",
                     "t.fa", "--whole-header", "-k", "0", "--sites", "-", "--format", "bed"}),
            "iso/New Town/1\t"));
}

TEST_CASE("shards and --append name records as the first build did") {
  const Folder all;
  all.folder.write("more.fa", ">iso/New Town/3 \nGGGACGTACGTAA\n");
  CHECK(all.out({"index", "-q", "--whole-header", "t.fa", "more.fa", "-o", "one.gsx"}).empty());
  CHECK(all.out({"index", "-q", "--whole-header", "t.fa", "-o", "grown.gsx"}).empty());
  CHECK(all.out({"index", "-q", "--append", "grown.gsx", "more.fa", "-o", "grown.gsx"}).empty());
  CHECK((all.folder.read("grown.gsx") == all.folder.read("one.gsx")));
  CHECK(all.out({"index", "-q", "--whole-header", "--shards", "2", "t.fa", "more.fa", "-o",
                 "cut.gsx"})
            .empty());
  const Arguments query = {"-q", "-p", "ACGTACGTAA", "--bed"};
  Arguments whole = {"locate", "one.gsx"}, shards = {"locate", "cut.gsx"};
  for (Arguments* arguments : {&whole, &shards})
    arguments->insert(arguments->end(), query.begin(), query.end());
  const std::string expected = all.out(whole);
  CHECK(has(expected, "iso/New Town/3\t3\t13\t"));
  CHECK(all.out(shards) == expected);
  all.folder.write("first.fa", ">a x\nACGTT\n");
  CHECK(all.out({"index", "-q", "first.fa"}).empty());
  check_failure(
      all.gsx({"index", "-q", "--append", "first.gsx", "--whole-header", "t.fa", "-o", "x.gsx"}), 2,
      {"--whole-header", "first.gsx", "was made without it"});
}

TEST_CASE("an index knows that its names are whole headers, where none of them shows it") {
  const Folder all;
  all.folder.write("w1.fa", ">w1\nACGTTA\n");
  all.folder.write("w2.fa", ">w2 x y\nGGATC\n");
  CHECK(all.out({"index", "-q", "--whole-header", "w1.fa", "-o", "w.gsx"}).empty());
  CHECK(all.out({"index", "-q", "--whole-header", "w1.fa", "w2.fa", "-o", "both.gsx"}).empty());
  CHECK(all.out({"index", "-q", "--append", "w.gsx", "w2.fa", "-o", "grown.gsx"}).empty());
  CHECK(has(all.out({"extract", "-q", "grown.gsx", "w2 x y"}), "GGATC"));
  CHECK((all.folder.read("grown.gsx") == all.folder.read("both.gsx")));
  CHECK(has(all.folder.read("w.gsx"), "whole_header"));
  CHECK(all.out({"index", "-q", "w1.fa", "-o", "words.gsx"}).empty());
  CHECK_FALSE(has(all.folder.read("words.gsx"), "whole_header"));
  // An index of a gsx that did not keep this.
  IndexFile older(all.folder.read("both.gsx"));
  older.change_entry(older.find("whole_header"), [](SectionEntry& entry) { entry.name[0] = 'W'; });
  older.seal();
  all.folder.write("older.gsx", older.bytes);
  CHECK(has(all.out({"verify", "-q", "older.gsx", "--against", "w1.fa", "--against", "w2.fa"}),
            "ok"));
  CHECK(all.out({"index", "-q", "--append", "older.gsx", "t.fa", "-o", "on.gsx"}).empty());
  CHECK(has(all.out({"extract", "-q", "on.gsx"}), ">iso/New York/2\n"));
  IndexFile wrong(all.folder.read("w.gsx"));
  wrong.set(wrong.at("whole_header"), std::uint8_t{2});
  wrong.seal();
  all.folder.write("wrong.gsx", wrong.bytes);
  check_failure(all.gsx({"extract", "-q", "wrong.gsx"}), 5, {"whole_header", "corrupt"});
}

TEST_CASE("jobs that make shards agree on --whole-header") {
  const Folder all;
  all.folder.write("w.fa", ">a\nACGTTA\n>b\nGGATC\n");
  const auto job = [&](Arguments more) {
    Arguments command = {"index", "-q", "--shards", "2", "w.fa", "-o", "w.gsx"};
    command.insert(command.end(), more.begin(), more.end());
    return all.gsx(command);
  };
  CHECK(job({"--shard", "0", "--whole-header"}).exit_code == 0);
  CHECK(job({"--shard", "1"}).exit_code == 0);
  check_failure(job({"--manifest-only", "--whole-header"}), 5,
                {"w.001.gsx", "it was made with another --whole-header", "--shard 1"});
  CHECK(job({"--shard", "1", "--whole-header"}).exit_code == 0);
  check_failure(job({"--manifest-only"}), 5, {"w.000.gsx", "another --whole-header"});
  check_output(job({"--manifest-only", "--whole-header"}), "");
  const std::string jobs = all.folder.read("w.001.gsx");
  check_output(job({"--whole-header"}), "");
  CHECK((all.folder.read("w.001.gsx") == jobs));
}

TEST_CASE("names that cannot be: a tab, and blanks in alignments") {
  const Folder all;
  all.folder.write("tab.fa", ">a b\nACGT\n>c\td\nACGT\n");
  check_failure(all.gsx({"index", "-q", "--whole-header", "tab.fa"}), 3,
                {"tab.fa: record 2, line 3", "a tab in the header", "--whole-header"});
  CHECK_FALSE(all.folder.has("tab.gsx"));
  CHECK(all.out({"index", "-q", "--whole-header", "t.fa"}).empty());
  for (const char* format : {"--sam", "--bam"}) {
    check_failure(all.gsx({"locate", "-q", "t.gsx", "-p", "ACGTA", format, "-o", "x"}), 2,
                  {"record 1", "'iso/New Town/1'", "blanks"});
    check_failure(
        all.gsx({"locate", "-q", "-r", "t.fa", "--whole-header", "-p", "ACGTA", format, "-o", "x"}),
        2, {"--whole-header"});
  }
  check_failure(all.gsx({"repeats", "-q", "t.gsx", "--whole-header"}), 2, {"--whole-header"});
  check_failure(all.gsx({"amplicon", "-q", "t.gsx", "--whole-header", "-"}), 2, {"--reference"});
}

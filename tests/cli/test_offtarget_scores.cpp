// gsx offtarget --score FILE: sites scored by a table, from the command line.
#include "support/columns.hpp"
#include "support/indexed.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

// Sites of ACGTTGCAAC: itself; G for A at 1 and T for C at 10; A for G at 3, with the PAM AAG;
// itself again, on the other strand, with the PAM CAG.
constexpr const char* guide = "ACGTTGCAAC";
constexpr const char* genome =
    ">r\nACGTTGCAACTGGTTTTGCGTTGCAATTGGTTTTACATTGCAACAAGTTTTCTGGTTGCAACGTTTT\n";

constexpr const char* table =
    "# POSITION GUIDE SITE WEIGHT\r\n"
    "length\t10\r\n"
    "\n"
    "*\tN\tN\t0.5\n"
    "1\ta\tG\t0.25\n"
    " 10 \tC\tu\t0.8\n"
    "3\tR\tY\t0\n"
    "pam\tNNG\t0.125\n"
    "pam\tNGG\t1\n"
    "pam\tNAG\t2e-1\n";

struct Genome : IndexedFolder {
  explicit Genome(const std::string& content = genome) : IndexedFolder(content) {}
  Outcome offtarget(Arguments arguments, const std::string& scores,
                    const std::string& input = {}) const {
    folder.write("scores.tsv", scores);
    arguments.insert(arguments.begin(),
                     {"offtarget", "-x", "g.gsx", "--score", "scores.tsv", "--no-header"});
    return gsx(arguments, input);
  }
  /// The sites and their scores.
  std::string scores(Arguments arguments, const std::string& scores) const {
    arguments.insert(arguments.end(), {"-o", "/dev/null", "--sites", "sites.tsv", "--without-pam"});
    const Outcome outcome = offtarget(arguments, scores);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    std::string lines;
    for (const std::string& line : lines_of(folder.read("sites.tsv"))) {
      const auto columns = columns_of(line);
      lines += columns[columns.size() - 2] + '\t' + columns.back() + '\n';
    }
    return lines;
  }
};

}  // namespace

TEST_CASE("a table scores sites by the product of its weights") {
  const Genome g;
  const Arguments asked = {"-p", guide, "-k", "2", "--alt-pam", "NAG"};
  // 0.25 * 0.8; 0.5 * 0.2; the PAM's 0.2
  CHECK(g.scores(asked, table) ==
        "ACGTTGCAACTGG\t100.0000\ngCGTTGCAAtTGG\t20.0000\nACaTTGCAACAAG\t10.0000\n"
        "ACGTTGCAACCAG\t20.0000\n");
  // 10000 / (100 + 20 + 10 + 20)
  check_output(g.offtarget(asked, table), "ACGTTGCAAC\tACGTTGCAAC\tNGG,NAG\t2\t1\t1\t4\t66.6667\n");
  // Nothing but matches, and what is not given
  CHECK(g.scores(asked, "length\t10\n3\tG\tC\t0\n") ==
        "ACGTTGCAACTGG\t100.0000\ngCGTTGCAAtTGG\t100.0000\nACaTTGCAACAAG\t100.0000\n"
        "ACGTTGCAACCAG\t100.0000\n");
  // BED and Cas-OFFinder's columns have no score.
  CHECK(g.offtarget({"-p", guide, "--sites", "s.bed"}, table).exit_code == 0);
  CHECK(g.folder.read("s.bed").starts_with("r\t0\t13\tACGTTGCAAC\t0\t+\n"));
}

TEST_CASE("the site without mismatches that has the greatest score is the guide's own") {
  const Genome g(">r\nACGTTGCAACTAGTTTTACGTTGCAACTGGTTTT\n");
  check_output(g.offtarget({"-p", guide, "-k", "1", "--alt-pam", "NAG"}, table),
               "ACGTTGCAAC\tACGTTGCAAC\tNGG,NAG\t2\t0\t2\t83.3333\n");
  // None of its sites is what the PAM says; then 0 is the greatest.
  check_output(g.offtarget({"-p", guide, "-k", "1"}, "length\t10\npam\tNGG\t0\n"),
               "ACGTTGCAAC\tACGTTGCAAC\tNGG\t1\t0\t1\t100.0000\n");
}

TEST_CASE("of a letter that stands for several bases, the greatest weight counts") {
  const Genome g(">r\nACGTTGCAACTGGTTTT\n");
  const std::string weights = "length\t10\n1\tC\tA\t0.5\n1\tG\tA\t0.75\n1\tT\tA\t0.25\n";
  CHECK(g.scores({"-p", "YCGTTGCAAC", "-k", "1"}, weights) == "aCGTTGCAACTGG\t50.0000\n");
  CHECK(g.scores({"-p", "BCGTTGCAAC", "-k", "1"}, weights) == "aCGTTGCAACTGG\t75.0000\n");
  CHECK(g.scores({"-p", "RCGTTGCAAC", "-k", "1"}, weights) == "ACGTTGCAACTGG\t100.0000\n");
}

TEST_CASE("positions count from the 5' end of the guide on either side of the PAM") {
  const Genome g(">r\nGGGTTTACCGTTGCAATGGGG\n");  // with C for A at 1 and T for C at 10
  const std::string weights = "length\t10\n1\tA\tC\t0.5\n10\tC\tT\t0.1\npam\tTTTV\t0.5\n";
  CHECK(g.scores({"-p", guide, "-k", "2", "--nuclease", "Cas12a"}, weights) ==
        "TTTAcCGTTGCAAt\t2.5000\n");
}

TEST_CASE("a guide of another length has no score, and that is said") {
  const Genome g;
  const Outcome mixed =
      g.offtarget({"-", "-k", "0"}, table, "ACGTTGCAAC\nCGTTGCAAC\nAACGTTGCAAC\n");
  check_output(mixed,
               "ACGTTGCAAC\tACGTTGCAAC\tNGG\t1\t1\t100.0000\nCGTTGCAAC\tCGTTGCAAC\tNGG\t1\t1\t.\n"
               "AACGTTGCAAC\tAACGTTGCAAC\tNGG\t0\t0\t.\n");
  CHECK(mixed.err.find("2 of 3 guides have no score: the table of --score is for guides of 10 "
                       "bases") != std::string::npos);
  CHECK(g.offtarget({"-p", guide}, table).err.find("no score") == std::string::npos);
}

TEST_CASE("scores do not depend on threads and devices") {
  Random random(16);
  const std::string text = random_string(random, 60'000, "ACGT");
  const Genome g(">r\n" + text + "\n");
  Outcome one = g.offtarget({"--all-sites", "--guide-length", "10", "-k", "3", "--alt-pam", "NAG",
                             "-t", "1", "--sites", "1.tsv"},
                            table);
  const Outcome four = g.offtarget({"--all-sites", "--guide-length", "10", "-k", "3", "--alt-pam",
                                    "NAG", "-t", "4", "--sites", "4.tsv"},
                                   table);
  CHECK(one.exit_code == 0);
  CHECK(one.out == four.out);
  CHECK(g.folder.read("1.tsv") == g.folder.read("4.tsv"));
}

TEST_CASE("a table that is wrong is refused with file, line and remedy") {
  const Genome g;
  const auto refused = [&](const std::string& scores, const std::string& line,
                           const std::string& said) {
    CAPTURE(scores);
    const Outcome outcome = g.offtarget({"-p", guide, "-o", "out.tsv"}, scores);
    check_failure(outcome, 3, {"scores.tsv", line, said});
    CHECK(!g.folder.has("out.tsv"));
  };
  refused("", "", "the table of scores is empty; its first line is length<tab>N");
  refused("# nothing\n", "", "the table of scores is empty");
  refused("position\tguide\tsite\tweight\n", "", "the table of scores is empty");
  refused("length\t10\n", "", "the table has no weights; a line is POSITION<tab>GUIDE<tab>SITE");
  for (const char* first : {"1\tA\tC\t0.5\n", "length\n", "length\t0\n", "length\t257\n",
                            "length\t10\t10\n", "length\tten\n"})
    refused(first, "line 1", "the first line is not length<tab>N");
  const std::string head = "length\t10\n";
  refused(head + "1\tA\tC\n", "line 2", "it has 3 columns, not 4; a line is POSITION<tab>");
  refused(head + "1\tA\tC\t\n", "line 2", "it has 3 columns, not 4");
  refused(head + "pam\tNGG\n", "line 2", "it has 2 columns, not 3");
  for (const std::string position : {"0", "11", "-1", "1.5", "", "A", "99999999999999999999"})
    refused(head + position + "\tA\tC\t1\n", "line 2", "is no position of a guide of 10 bases");
  for (const std::string weight : {"1.01", "-0.1", "nan", "inf", "0,5", "1x", "50%", "1e400"})
    refused(head + "1\tA\tC\t" + weight + "\n", "line 2", "is not a number from 0 to 1");
  refused(head + "1\tA\tX\t1\n", "line 2", "'X' is no base and no IUPAC code");
  refused(head + "1\tAC\tG\t1\n", "line 2", "'AC' is no base");
  refused(head + "pam\tN-G\t1\n", "line 2", "'-' is no base");
  refused(head + "pam\t\t1\n", "line 2", "it names no PAM");
  refused(head + "1\tA\tA\t0.5\n", "line 2", "A and A match, and a match has the weight 1");
  refused(head + "1\tA\tC\t0.5\n1\tA\tG\t0.5\n1\ta\tC\t0.5\n", "line 4",
          "this position and pair have a weight already; leave one of the lines out");
  refused(head + "pam\tNGG\t0.5\npam\tngg\t0.5\n", "line 3", "the PAM NGG has a weight already");
  refused(head + "pam\tGG\t0.5\n", "line 2", "the PAM GG is not as long as NGG, which is searched");
}

TEST_CASE("a table may be standard input, but only one file may be; a missing one is named") {
  const Genome g;
  const auto offtarget = [&](Arguments arguments, const std::string& input) {
    arguments.insert(arguments.begin(), {"offtarget", "-x", "g.gsx", "-k", "0", "--no-header"});
    return run(arguments, {.input = input, .folder = g.folder.path()});
  };
  check_output(offtarget({"-p", guide, "--score", "-"}, table),
               "ACGTTGCAAC\tACGTTGCAAC\tNGG\t1\t1\t100.0000\n");
  check_failure(offtarget({"-", "--score", "-"}, table), 2, {"'-' is given twice"});
  check_failure(offtarget({"-p", guide, "--score", "cfd"}, ""), 3, {"cfd", "cannot read it"});
  check_failure(offtarget({"-p", guide, "--score", ""}, ""), 2, {"--score"});
  // The table is not replaced by the results.
  g.folder.write("t.tsv", table);
  check_failure(offtarget({"-p", guide, "--score", "t.tsv", "-o", "t.tsv"}, ""), 2, {"t.tsv"});
  CHECK(g.folder.read("t.tsv") == table);
}

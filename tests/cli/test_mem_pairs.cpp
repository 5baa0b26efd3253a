// gsx mem --pairs: exact output in every format, verified by hand, and what it refuses.
#include <filesystem>
#include <string>

#include "support/indexed.hpp"
#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

// chr1: 0 A C G T A C G T(7) N N(9) A C G T(13) T T G G G A(19)
// chr2: 0 T T T A C G(5) N(6) C C C A A A(12) G G G(15)
constexpr const char* genome =
    ">chr1 first\nACGTACGTNN\nacgtttggga\n>chr2\nTTTACGNCCCAAAGGG\n>empty\n>chr3\nGATTACA\n";
constexpr const char* queries =
    ">q1\nACGTTTGGGACC\n>none\nNNN\n>q2 comment\nTACGTNTCCCAAA\n>empty\n\n>q3\nTGTAATCGATTACA\n";

constexpr const char* header = "query_id\tqstart\tqend\tlength\ttarget_id\ttstart\ttend\tstrand\n";
const std::string lines =
    "q1\t0\t10\t10\tchr1\t10\t20\t+\n"
    "q1\t3\t9\t6\tchr2\t7\t13\t-\n"
    "q2\t0\t5\t5\tchr1\t3\t8\t+\n"
    "q2\t7\t13\t6\tchr2\t7\t13\t+\n"
    "q2\t0\t5\t5\tchr1\t0\t5\t-\n"
    "q2\t6\t13\t7\tchr1\t13\t20\t-\n"
    "q3\t7\t14\t7\tchr3\t0\t7\t+\n"
    "q3\t0\t7\t7\tchr3\t0\t7\t-\n";

struct Genome : IndexedFolder {
  Genome() : IndexedFolder(genome) { folder.write("q.fa", queries); }
  Outcome pairs(Arguments arguments, std::string input = "") const {
    arguments.insert(arguments.begin(), {"mem", "--pairs"});
    return gsx(arguments, std::move(input));
  }
};

/// Checks that the run ends with that code, and a message that has these words.
void check_refusal(const Outcome& outcome, int code, const std::string& words) {
  CHECK(outcome.exit_code == code);
  CHECK(outcome.out.empty());
  CAPTURE(outcome.err);
  CHECK(outcome.err.find("error: ") != std::string::npos);
  CHECK(outcome.err.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("mem --pairs writes every pair of matches, whatever the target is given as") {
  const Genome index;
  check_output(index.pairs({"-L", "5", "g.fa", "q.fa"}), header + lines);
  check_output(index.pairs({"-L", "5", "g.gsx", "q.fa"}), header + lines);
  check_output(index.pairs({"-L", "5", "-x", "g.gsx", "q.fa"}), header + lines);
  check_output(index.pairs({"-L", "5", "-r", "g.fa", "--no-header", "-"}, queries), lines);
  check_output(index.pairs({"-L", "5", "-", "q.fa"}, genome), header + lines);
  check_output(index.pairs({"-L", "5", "-o", "p.tsv", "g.fa", "q.fa"}), "");
  CHECK(index.folder.read("p.tsv") == header + lines);
  check_output(index.pairs({"g.fa", "q.fa"}), header);
  check_output(index.pairs({"-L", "8", "--no-header", "--strand", "fwd", "g.fa", "q.fa"}),
               "q1\t0\t10\t10\tchr1\t10\t20\t+\n");
  check_output(index.pairs({"-L", "7", "--no-header", "--strand", "rev", "g.fa", "q.fa"}),
               "q2\t6\t13\t7\tchr1\t13\t20\t-\nq3\t0\t7\t7\tchr3\t0\t7\t-\n");
}

TEST_CASE("mem --pairs writes PAF, JSON lines and what mummer prints") {
  const Genome index;
  check_output(index.pairs({"-L", "7", "--paf", "g.fa", "q.fa"}),
               "q1\t12\t0\t10\t+\tchr1\t20\t10\t20\t10\t10\t255\tNM:i:0\tcg:Z:10=\n"
               "q2\t13\t6\t13\t-\tchr1\t20\t13\t20\t7\t7\t255\tNM:i:0\tcg:Z:7=\n"
               "q3\t14\t7\t14\t+\tchr3\t7\t0\t7\t7\t7\t255\tNM:i:0\tcg:Z:7=\n"
               "q3\t14\t0\t7\t-\tchr3\t7\t0\t7\t7\t7\t255\tNM:i:0\tcg:Z:7=\n");
  check_output(index.pairs({"-L", "10", "--jsonl", "g.fa", "q.fa"}),
               "{\"query_id\":\"q1\",\"query_start\":0,\"query_end\":10,\"length\":10,"
               "\"target_id\":\"chr1\",\"start\":10,\"end\":20,\"strand\":\"+\"}\n");
  const std::string printed =
      "> q1\n"
      "  chr1         11         1        10\n"
      "> q1 Reverse\n"
      "> none\n> none Reverse\n"
      "> q2\n"
      "> q2 Reverse\n"
      "  chr1         14        13         7\n"
      "> empty\n> empty Reverse\n"
      "> q3\n"
      "  chr3          1         8         7\n"
      "> q3 Reverse\n"
      "  chr3          1         7         7\n";
  check_output(index.pairs({"-L", "7", "--mummer", "g.fa", "q.fa"}), printed);
  check_output(index.pairs({"-L", "7", "-o", "p.mummer", "g.fa", "q.fa"}), "");
  CHECK(index.folder.read("p.mummer") == printed);
}

TEST_CASE("mem --pairs keeps the pairs of strings that are unique where that is asked for") {
  // GATTACA is once in the target, and twice in q. CCCTTT is once on each strand of the target.
  TemporaryFolder folder;
  folder.write("t.fa", ">t\nGATTACANCCCTTTNAAAGGG\n>u\nCGCGCG\n");
  folder.write("q.fa", ">q\nGATTACANGATTACANCCCTTT\n>r\nGATTACA\n");
  const auto pairs = [&](const Arguments& more) {
    Arguments arguments{"mem", "--pairs", "-L", "6", "--no-header", "t.fa", "q.fa"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, {.folder = folder.path()});
  };
  const std::string twice = "q\t0\t7\t7\tt\t0\t7\t+\nq\t8\t15\t7\tt\t0\t7\t+\n",
                    once = "r\t0\t7\t7\tt\t0\t7\t+\n", forward = "q\t16\t22\t6\tt\t8\t14\t+\n",
                    reverse = "q\t16\t22\t6\tt\t15\t21\t-\n";
  check_output(pairs({}), twice + forward + reverse + once);
  check_output(pairs({"--mum-ref"}), twice + forward + reverse + once);
  check_output(pairs({"--mum"}), forward + reverse + once);
  check_output(pairs({"--mum", "--unique-both-strands"}), once);
}

TEST_CASE("mem --pairs gives the same for any threads, and a whole record as one pair of itself") {
  Random random(run_seed());
  const std::string sequence = random_string(random, 150000, "ACGT") + std::string(40, 'N') +
                               mutated_copies(random, 300, 30, 100, "ACGT");
  TemporaryFolder folder;
  folder.write("t.fa", ">a\n" + sequence + "\n>b\n" + sequence.substr(2000, 40000) + "\n");
  folder.write("s.fa", ">s\n" + sequence.substr(0, 150000) + "\n");
  const auto pairs = [&](const Arguments& more, const char* target, const char* query) {
    Arguments arguments{"mem", "--pairs", "--no-header", target, query};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return output_of(run(arguments, {.folder = folder.path()}));
  };
  const std::string expected = pairs({"-L", "20", "-t", "1"}, "t.fa", "t.fa");
  CHECK(expected.size() > 10000);
  CHECK(pairs({"-L", "20", "-t", "4"}, "t.fa", "t.fa") == expected);
  CHECK(pairs({"-L", "50000"}, "s.fa", "s.fa") == "s\t0\t150000\t150000\ts\t0\t150000\t+\n");
  for (const char* unique : {"--mum", "--mum-ref"}) {
    const std::string one = pairs({"-L", "20", "-t", "1", unique}, "s.fa", "t.fa");
    CHECK(one.size() > 10);
    CHECK(pairs({"-L", "20", "-t", "4", unique}, "s.fa", "t.fa") == one);
  }
}

TEST_CASE("mem --pairs keeps to a memory limit, with the same pairs, or says what it needs") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(run_seed());
  TemporaryFolder folder;
  folder.write("t.fa", ">t\n" + random_string(random, 4000000, "ACGT") + "\n");
  const auto pairs = [&](const Arguments& more) {
    Arguments arguments{"mem", "--pairs", "-t", "1", "t.fa", "t.fa"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return ::gsx::testing::run(arguments, {.folder = folder.path()});
  };
  const std::string expected = output_of(pairs({"-L", "60"}));
  CHECK(output_of(pairs({"-L", "60", "--memory-limit", "32M"})) == expected);
  check_refusal(pairs({"-L", "14", "--memory-limit", "32M"}), 6, "greater length");
}

TEST_CASE("mem --pairs writes the pairs of the queries before a bad one") {
  const Genome index;
  const auto read = [](const char* name, const char* qualities) {
    return "@" + std::string(name) + "\nACGTTTGGGACC\n+\n" + qualities + "\n";
  };
  const char* const good = "IIIIIIIIIIII";
  index.folder.write("bad.fq", read("q1", good) + read("q2", good) + read("bad", "I"));
  const Outcome outcome = index.pairs({"-L", "10", "--no-header", "g.fa", "bad.fq"});
  check_error(outcome, 3, {"bad.fq: record 3 ('bad')"});
  CHECK(outcome.out.starts_with("q1\t0\t10\t10\tchr1\t10\t20\t+\n"));
  CHECK(outcome.out.find("bad") == std::string::npos);
  check_refusal(index.pairs({"-L", "10", "-o", "out", "g.fa", "bad.fq"}), 3, "bad.fq");
  CHECK(!index.folder.has("out"));
}

TEST_CASE("mem --pairs writes the pairs of all whole queries before an error") {
  const Genome index;
  const std::string fastq = "@a\nACGTTTGGGACC\n+\nIIIIIIIIIIII\n", fasta = ">a\nACGTTTGGGACC\n",
                    line = "a\t0\t10\t10\tchr1\t10\t20\t+\n";
  const auto before = [&](const std::string& input, const Arguments& more = {}) {
    Arguments all{"-L", "10", "--no-header", "--strand", "fwd", "g.fa", "-"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = index.pairs(all, input);
    CHECK(outcome.exit_code == 3);
    return outcome.out;
  };
  CHECK(before(fastq + "garbage\n") == line);
  CHECK(before(fastq + fastq + "\ngarbage\n") == line + line);
  CHECK(before(fastq + "@bad\nACGTTTGGGACC\n+\nI\n") == line);
  CHECK(before(fastq + "@bad\nACGTTTGGGACC\n") == line);
  CHECK(before(fastq + "@b\rd\nACGTTTGGGACC\n") == line);
  CHECK(before("@bad\nACGTTTGGGACC\n+\nI\n") == "");
  CHECK(before(fasta + ">bad\nACGTTTGGGACC\n\x01\n") == line);
  CHECK(before(fasta + "\x01\n") == "");
  // An error at the begin of a file says nothing against the one before.
  index.folder.write("none", "none\n");
  CHECK(before(fasta, {"none"}) == line);
  CHECK(before(fastq.substr(0, fastq.size() - 1), {"none"}) == line);
}

TEST_CASE("mem --pairs takes protein, on one strand") {
  TemporaryFolder folder;
  folder.write("t.fa", ">t\nMEDLKVWQRSTPFYGHMEDLKV\n");
  folder.write("q.fa", ">q\nxMEDLKVWJ\n");
  check_output(::gsx::testing::run({"mem", "--pairs", "-L", "6", "--no-header", "t.fa", "q.fa"},
                                   {.folder = folder.path()}),
               "q\t1\t8\t7\tt\t0\t7\t+\nq\t1\t7\t6\tt\t16\t22\t+\n");
}

TEST_CASE("mem --pairs warns of queries that are too short") {
  const Genome index;
  const Outcome outcome = index.pairs({"-L", "13", "--no-header", "g.fa", "q.fa"});
  check_output(outcome, "");
  CHECK(outcome.err.find("warning: 3 of 5 queries have no 13 symbols in a row that are A, C, G, T "
                         "or U, so they match nothing; see -L") != std::string::npos);
  CHECK(index.pairs({"-L", "3", "g.fa", "-"}, ">a\nACGT\n>b\n\n").err.find("warning") ==
        std::string::npos);
}

TEST_CASE("the manual of mem lists what goes with --pairs, and what does not") {
  const Genome index;
  const std::string help =
      output_of(run_shell("\"$gsx\" help --man mem | tr -d '\\\\' | tr -s '\\n ' ' '"));
  CHECK(help.find("do not go with --pairs: --places, --max-hits, --min-occ, --max-occ, --coverage, "
                  "--bed, --fastmap, --pattern, --patterns, --tag-files, --unmatched, --summary "
                  "and --batch; these need it: --mum, --mum-ref, --unique-both-strands and "
                  "--mummer.") != std::string::npos);
  CHECK(
      help.find("With --pairs, an index is the target only if this or the first argument names") !=
      std::string::npos);
  // As the help says: neither the variable nor the folder names a target.
  check_refusal(index.pairs({"q.fa"}), 2, "the target first");
}

TEST_CASE("mem --pairs refuses what makes no sense with it, and says what to do") {
  const Genome index;
  for (const Arguments& more :
       {Arguments{"--places"}, Arguments{"--max-hits", "3"}, Arguments{"--min-occ", "2"},
        Arguments{"--max-occ", "2"}, Arguments{"--coverage"}, Arguments{"--bed"},
        Arguments{"--fastmap"}, Arguments{"-p", "ACGT"}, Arguments{"-f", "q.fa"},
        Arguments{"--tag-files"}, Arguments{"--unmatched", "u.fa"}, Arguments{"--summary", "s"},
        Arguments{"--batch", "100"}}) {
    Arguments arguments = more;
    arguments.insert(arguments.end(), {"g.fa", "q.fa"});
    CAPTURE(more[0]);
    check_refusal(index.pairs(arguments), 2, "does not go with --pairs");
  }
  for (const char* option : {"--mum", "--mum-ref", "--unique-both-strands", "--mummer"})
    check_refusal(index.gsx({"mem", option, "g.gsx", "q.fa"}), 2, "give --pairs");
  check_refusal(index.gsx({"mem", "--format", "mummer", "g.gsx", "q.fa"}), 2, "give --pairs");
  check_refusal(index.pairs({"--format", "bed", "g.fa", "q.fa"}), 2, "not bed");
  check_refusal(index.pairs({"--unique-both-strands", "g.fa", "q.fa"}), 2, "give --mum");
  check_refusal(index.pairs({"--mum", "--mum-ref", "g.fa", "q.fa"}), 2, "--mum");
  check_refusal(index.pairs({}), 2, "the target first");
  check_refusal(index.pairs({"g.fa"}), 2, "the target first");
  check_refusal(index.pairs({"-x", "g.gsx", "-r", "g.fa", "q.fa"}), 2, "give one of them");
  check_refusal(index.pairs({"g.fa", "g.gsx"}), 2, "g.gsx");
  check_refusal(index.pairs({"-", "-"}), 2, "standard input");
  check_refusal(index.pairs({"no.fa", "q.fa"}), 3, "no.fa");
  check_refusal(index.pairs({"g.fa", "no.fa", "-o", "out"}), 3, "no.fa");
  check_refusal(index.pairs({"-o", "g.fa", "g.fa", "q.fa"}), 2, "replace the input 'g.fa'");
  // Before a target is read, which may take minutes.
  index.folder.write("wrong.fa", ">a\n\x01\n");
  check_refusal(index.pairs({"-o", "q.fa", "wrong.fa", "q.fa"}), 2, "replace the input 'q.fa'");
  check_refusal(index.pairs({"-o", "wrong.fa", "wrong.fa", "q.fa"}), 2, "replace the input");
  std::filesystem::remove(index.folder / "wrong.fa");
  CHECK(index.folder.names() == std::vector<std::string>{"g.fa", "g.gsx", "q.fa"});
}

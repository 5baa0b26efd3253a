// gsx mem: exact output in every format, matches and places verified by hand.
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
    ">chr1 first\nACGTACGTNN\nACGTTTGGGA\n>chr2\nTTTACGNCCCAAAGGG\n>empty\n>chr3\nGATTACA\n";
constexpr const char* queries =
    ">q1\nACGTTTGGGACC\n>none\nNNN\n>q2 comment\nTACGTNTCCCAAA\n>empty\n\n>q3\nTGTAATCGATTACA\n";

constexpr const char* header = "query_id\tqstart\tqend\tlength\tn_fwd\tn_rev\n";

struct Genome : IndexedFolder {
  Genome() : IndexedFolder(genome) { folder.write("q.fa", queries); }
  Outcome mem(Arguments arguments, std::string input = "") const {
    arguments.insert(arguments.begin(), {"mem", "-x", "g.gsx"});
    return gsx(arguments, std::move(input));
  }
};

}  // namespace

TEST_CASE("mem TSV has the maximal matches of each query, with the counts of both strands") {
  const Genome index;
  const std::string lines =
      "q1\t0\t10\t10\t1\t0\n"
      "q2\t0\t5\t5\t1\t1\n"
      "q2\t6\t13\t7\t0\t1\n"
      "q3\t0\t7\t7\t0\t1\n"
      "q3\t7\t14\t7\t1\t0\n";
  check_output(index.mem({"-L", "5", "q.fa"}), header + lines);
  check_output(index.mem({"-L", "5", "--no-header", "-"}, queries), lines);
  check_output(index.mem({"-L", "5", "-o", "m.tsv", "q.fa"}), "");
  CHECK(index.folder.read("m.tsv") == header + lines);
  check_output(index.gsx({"mem", "-r", "g.fa", "-L", "5", "q.fa"}), header + lines);
  check_output(index.mem({"-L", "8", "--no-header", "q.fa"}), "q1\t0\t10\t10\t1\t0\n");
  check_output(index.mem({"q.fa"}), header);
  check_output(index.mem({"-L", "4", "--no-header", "-p", "acgtnttac"}),
               "acgtnttac\t0\t4\t4\t3\t3\nacgtnttac\t5\t9\t4\t2\t0\n");
}

TEST_CASE("mem searches the strands that are asked for") {
  const Genome index;
  check_output(index.mem({"-L", "5", "--no-header", "--strand", "rev", "q.fa"}),
               "q1\t3\t9\t6\t0\t1\n"
               "q2\t0\t5\t5\t0\t1\n"
               "q2\t6\t13\t7\t0\t1\n"
               "q3\t0\t7\t7\t0\t1\n");
  check_output(index.mem({"-L", "6", "--no-header", "--strand", "fwd", "q.fa"}),
               "q1\t0\t10\t10\t1\t0\n"
               "q2\t7\t13\t6\t1\t0\n"
               "q3\t7\t14\t7\t1\t0\n");
}

TEST_CASE("mem writes the places of matches, on the forward strand of the target") {
  const Genome index;
  const std::string columns =
      "query_id\tqstart\tqend\tlength\tn_fwd\tn_rev\ttarget_id\ttstart\ttend\tstrand\tn_total\t"
      "n_reported\ttruncated\n";
  check_output(index.mem({"-L", "5", "--places", "q.fa"}),
               columns +
                   "q1\t0\t10\t10\t1\t0\tchr1\t10\t20\t+\t1\t1\tno\n"
                   "q2\t0\t5\t5\t1\t1\tchr1\t0\t5\t-\t2\t2\tno\n"
                   "q2\t0\t5\t5\t1\t1\tchr1\t3\t8\t+\t2\t2\tno\n"
                   "q2\t6\t13\t7\t0\t1\tchr1\t13\t20\t-\t1\t1\tno\n"
                   "q3\t0\t7\t7\t0\t1\tchr3\t0\t7\t-\t1\t1\tno\n"
                   "q3\t7\t14\t7\t1\t0\tchr3\t0\t7\t+\t1\t1\tno\n");
  check_output(index.mem({"-L", "5", "--max-hits", "1", "-p", "TACGT"}),
               columns + "TACGT\t0\t5\t5\t1\t1\tchr1\t3\t8\t+\t2\t1\tyes\n");
  CHECK(index.mem({"-L", "5", "--max-hits", "0", "q.fa"}).out ==
        index.mem({"-L", "5", "--places", "q.fa"}).out);
}

TEST_CASE("mem writes BED, PAF, JSON lines and the blocks of fastmap") {
  const Genome index;
  check_output(index.mem({"-L", "6", "--bed", "q.fa"}),
               "q1\t0\t10\t1\nq2\t6\t13\t1\nq3\t0\t7\t1\nq3\t7\t14\t1\n");
  check_output(index.mem({"-L", "7", "--paf", "q.fa"}),
               "q1\t12\t0\t10\t+\tchr1\t20\t10\t20\t10\t10\t255\tNM:i:0\tnh:i:1\tcg:Z:10=\n"
               "q2\t13\t6\t13\t-\tchr1\t20\t13\t20\t7\t7\t255\tNM:i:0\tnh:i:1\tcg:Z:7=\n"
               "q3\t14\t0\t7\t-\tchr3\t7\t0\t7\t7\t7\t255\tNM:i:0\tnh:i:1\tcg:Z:7=\n"
               "q3\t14\t7\t14\t+\tchr3\t7\t0\t7\t7\t7\t255\tNM:i:0\tnh:i:1\tcg:Z:7=\n");
  check_output(
      index.mem({"-L", "5", "--jsonl", "q.fa"}),
      R"({"query_id":"q1","length":12,"matches":[{"query_start":0,"query_end":10,"n_fwd":1,"n_rev":0}]}
{"query_id":"none","length":3,"matches":[]}
{"query_id":"q2","length":13,"matches":[{"query_start":0,"query_end":5,"n_fwd":1,"n_rev":1},{"query_start":6,"query_end":13,"n_fwd":0,"n_rev":1}]}
{"query_id":"empty","length":0,"matches":[]}
{"query_id":"q3","length":14,"matches":[{"query_start":0,"query_end":7,"n_fwd":0,"n_rev":1},{"query_start":7,"query_end":14,"n_fwd":1,"n_rev":0}]}
)");
  check_output(
      index.mem({"-L", "5", "--format", "jsonl", "--places", "-p", "TACGT"}),
      R"({"query_id":"TACGT","length":5,"matches":[{"query_start":0,"query_end":5,"n_fwd":1,"n_rev":1,"n_reported":2,"truncated":false,"places":[{"target_id":"chr1","start":0,"end":5,"strand":"-"},{"target_id":"chr1","start":3,"end":8,"strand":"+"}]}]}
)");
  const std::string blocks =
      "SQ\tq1\t12\nEM\t0\t10\t1\tchr1:+11\n//\n"
      "SQ\tnone\t3\n//\n"
      "SQ\tq2\t13\nEM\t0\t5\t2\tchr1:-1\tchr1:+4\nEM\t6\t13\t1\tchr1:-14\n//\n"
      "SQ\tempty\t0\n//\n"
      "SQ\tq3\t14\nEM\t0\t7\t1\tchr3:-1\nEM\t7\t14\t1\tchr3:+1\n//\n";
  check_output(index.mem({"-L", "5", "--fastmap", "q.fa"}), blocks);
  check_output(index.mem({"-L", "5", "-o", "m.fastmap", "q.fa"}), "");
  CHECK(index.folder.read("m.fastmap") == blocks);
  check_output(index.mem({"-L", "5", "--fastmap", "--max-occ", "1", "-p", "TACGT"}),
               "SQ\tTACGT\t5\nEM\t0\t5\t2\t*\n//\n");
}

TEST_CASE("mem leaves out matches that are too rare or too frequent, and measures coverage") {
  const Genome index;
  check_output(index.mem({"-L", "5", "--no-header", "--min-occ", "2", "q.fa"}),
               "q2\t0\t5\t5\t1\t1\n");
  check_output(index.mem({"-L", "5", "--no-header", "--max-occ", "1", "-p", "TACGT"}), "");
  check_output(index.mem({"-L", "5", "--coverage", "q.fa"}),
               "query_id\tlength\tn_matches\tcovered\n"
               "q1\t12\t1\t10\nnone\t3\t0\t0\nq2\t13\t2\t12\nempty\t0\t0\t0\nq3\t14\t2\t14\n");
  // GATTAC, TTACG and TACGT overlap.
  check_output(index.mem({"-L", "4", "--coverage", "--no-header", "-p", "GATTACGT"}),
               "GATTACGT\t8\t3\t8\n");
}

TEST_CASE("mem tallies matches; symbols that match nothing rule no query out") {
  const Genome index;
  const Outcome outcome =
      index.mem({"-L", "5", "--summary", "s.json", "--unmatched", "u.fa", "q.fa"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("5 queries, 3 with matches, 5 matches") != std::string::npos);
  CHECK(outcome.err.find("1 of 5 queries has no 5 symbols in a row that are A, C, G, T or U, so it "
                         "matches nothing (first: 'N' in 'none')") != std::string::npos);
  CHECK(index.folder.read("u.fa") == ">none\nNNN\n>empty\n\n");
  const std::string summary = index.folder.read("s.json");
  for (const char* part : {"\"command\":\"mem\"", "\"queries\":5", "\"queries_with_hits\":3",
                           "\"hits\":5", "\"queries_that_cannot_match\":1", "\"min_length\":5"})
    CHECK(summary.find(part) != std::string::npos);
}

TEST_CASE("mem gives the same for any threads and batches, and for a record as its own query") {
  Random random(run_seed());
  std::string fasta, reads;
  std::string sequence = random_string(random, 5000, "ACGT") + std::string(40, 'N') +
                         mutated_copies(random, 300, 30, 100, "ACGT");
  fasta = ">a\n" + sequence + "\n>b\n" + sequence.substr(2000, 4000) + "\n";
  for (int i = 0; i < 300; ++i)
    reads += ">r\n" + sequence.substr(below(random, sequence.size()), below(random, 400)) + "\n";
  const IndexedFolder index(fasta);
  index.folder.write("reads.fa", reads);
  index.folder.write("self.fa", ">s\n" + sequence.substr(0, 5000) + "\n");
  const std::string expected =
      output_of(index.gsx({"mem", "-x", "g.gsx", "-L", "15", "--places", "reads.fa"}));
  CHECK(expected.size() > 10000);
  for (const Arguments& more : {Arguments{"-t", "1"}, Arguments{"-t", "4", "--batch", "1000"},
                                Arguments{"--batch", "1"}, Arguments{"--memory-limit", "64M"}}) {
    Arguments arguments{"mem", "-x", "g.gsx", "-L", "15", "--places", "reads.fa"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_output(index.gsx(arguments), expected);
  }
  check_output(index.gsx({"mem", "-x", "g.gsx", "--no-header", "self.fa"}),
               "s\t0\t5000\t5000\t1\t0\n");
}

TEST_CASE("mem refuses what it cannot do, and says which device it uses") {
  const Genome index;
  CHECK(index.mem({"-v", "q.fa"}).err.find("using the CPU: it takes about") != std::string::npos);
  check_failure(index.mem({"--device", "cuda:77", "q.fa"}), 7);
  check_failure(index.mem({"-L", "0", "q.fa"}), 2, {"--min-length"});
  check_failure(index.mem({"--bed", "--places", "q.fa"}), 2, {"BED", "PAF"});
  check_failure(index.mem({"--coverage", "--max-hits", "3", "q.fa"}), 2, {"--coverage"});
  check_failure(index.mem({"--coverage", "--paf", "q.fa"}), 2, {"--coverage is TSV", "--paf"});
  check_failure(index.mem({"--bed", "--format", "paf", "q.fa"}), 2, {"disagree"});
  check_failure(index.mem({"--min-occ", "5", "--max-occ", "4", "q.fa"}), 2, {"--min-occ 5"});
  check_failure(index.mem({"-o", "m.csv", "q.fa"}), 2, {"mem", "fastmap"});
  CHECK(!index.folder.has("m.csv"));
  check_failure(index.mem({}), 2, {"no queries"});
  check_failure(index.gsx({"mem", "-x", "none.gsx", "q.fa"}), 4, {"none.gsx"});
}

TEST_CASE("mem finds matches of proteins on one strand") {
  const IndexedFolder index(">p\nMKVLAAGLLKVLAAGW\n", {"--alphabet", "protein"});
  check_output(
      index.gsx({"mem", "-x", "g.gsx", "-L", "3", "--places", "--no-header", "-p", "KVLAAGYAGLLK"}),
      "KVLAAGYAGLLK\t0\t6\t6\t2\t0\tp\t1\t7\t+\t2\t2\tno\n"
      "KVLAAGYAGLLK\t0\t6\t6\t2\t0\tp\t9\t15\t+\t2\t2\tno\n"
      "KVLAAGYAGLLK\t7\t12\t5\t1\t0\tp\t5\t10\t+\t1\t1\tno\n");
  check_failure(index.gsx({"mem", "-x", "g.gsx", "--strand", "rev", "-p", "KVL"}), 2, {"DNA"});
}

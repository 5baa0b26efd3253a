// count and locate with letters that count as one another (--equal).
#include "support/indexed.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* header = "query_id\tlength\tcount\tcount_fwd\tcount_rev\n";
// P2 has no L, P3 no I, and P4 neither.
constexpr const char* proteins =
    ">P1\nMKVLSEGEWQLVAIRDIQSFLR\n>P2\nAIRDIQSFIKAIR\n>P3\nWALRDLQSFLKALR\n>P4\nMKAGRNQQ\n";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("--equal IL finds peptides whatever their I and L") {
  const IndexedFolder index(proteins);
  check_output(index.gsx({"count", "-p", "ALRDLQSF"}),
               std::string(header) + "ALRDLQSF\t8\t1\t1\t0\n");
  for (const char* letters : {"IL", "li", "IL,DE"}) {
    check_output(index.gsx({"count", "--equal", letters, "-p", "ALRDLQSF", "-p", "AIR", "-p", "xL",
                            "-p", "AGR"}),
                 std::string(header) +
                     "ALRDLQSF\t8\t3\t3\t0\nAIR\t3\t5\t5\t0\nxL\t2\t0\t0\t0\nAGR\t3\t1\t1\t0\n");
  }
  check_output(index.gsx({"locate", "--no-header", "--equal", "IL", "-p", "ALRDLQSF", "-p", "aik"}),
               "ALRDLQSF\tP1\t12\t20\t+\t0\t3\t3\tno\nALRDLQSF\tP2\t0\t8\t+\t0\t3\t3\tno\n"
               "ALRDLQSF\tP3\t1\t9\t+\t0\t3\t3\tno\n");
  check_output(index.gsx({"locate", "--equal", "IL", "--bed", "-p", "SFI"}),
               "P1\t18\t21\tSFI\t0\t+\nP2\t6\t9\tSFI\t0\t+\nP3\t7\t10\tSFI\t0\t+\n");
  check_output(index.gsx({"locate", "--equal", "IL", "--paf", "-p", "SFIR"}),
               "SFIR\t4\t0\t4\t+\tP1\t22\t18\t22\t4\t4\t255\tNM:i:0\tnh:i:1\tcg:Z:4=\n");
  check_output(index.gsx({"count", "--equal", "IL", "--by-record", "--no-header", "-p", "AIR"}),
               "AIR\tP1\t1\t1\t0\nAIR\tP2\t2\t2\t0\nAIR\tP3\t2\t2\t0\n");
  check_output(index.gsx({"count", "-r", "g.fa", "--equal", "IL", "-p", "AIR", "-t", "3"}),
               std::string(header) + "AIR\t3\t5\t5\t0\n");
  // The first in suffix order: AIRDIQSFI, then AIRDIQSFL.
  check_output(
      index.gsx({"locate", "--equal", "IL", "--no-header", "-q", "--max-hits", "1", "-p", "ALRDL"}),
      "ALRDL\tP2\t0\t5\t+\t0\t3\t1\tyes\n");
}

TEST_CASE("--equal gives the same of shards, whose letters differ, and of their merged results") {
  const IndexedFolder index(proteins);
  index.folder.write("q.fa",
                     ">a\nALRDLQSF\n>b\nAIR\n>b2\nMKAX\n>c\nAGI\n>d\nL\n>e\nWALR\n>f\nBI\n");
  index.folder.write("p2.fa", ">P5\nAAAGG\n");
  check_output(index.gsx({"index", "-q", "--files", "g.fa", "p2.fa", "-o", "g.gsx", "--force"}),
               "");
  check_output(index.gsx({"index", "-q", "--files", "g.fa", "p2.fa", "--shard-size", "10", "-o",
                          "many.gsx"}),
               "");
  // The index has another name and checksum.
  const auto without_index = [](const std::string& summary) {
    const std::size_t begin = summary.find("\"index\":{");
    return summary.substr(0, begin) + summary.substr(summary.find("},", begin));
  };
  struct Asked {
    Arguments command;
    std::string suffix;
  };
  for (const Asked& asked : {Asked{{"count"}, ".tsv"}, Asked{{"count", "--by-file"}, ".tsv"},
                             Asked{{"locate"}, ".tsv"}, Asked{{"locate"}, ".jsonl"}}) {
    CAPTURE(asked.command.back());
    CAPTURE(asked.suffix);
    const auto search = [&](const std::string& name, const std::string& out) {
      Arguments all = asked.command;
      all.insert(all.end(), {"-q", "--equal", "IL", "-x", name, "q.fa", "-o", out + asked.suffix,
                             "--summary", out + ".json"});
      CHECK(index.gsx(all).exit_code == 0);
      return index.folder.read(out + asked.suffix) +
             without_index(index.folder.read(out + ".json"));
    };
    const std::string whole = search("g.gsx", "whole");
    CHECK(search("many.gsx", "many") == whole);
    Arguments merge = {"merge",     "-q",      "--queries", "q.fa", "-o", "all" + asked.suffix,
                       "--summary", "all.json"};
    for (const char* shard : {"0", "1", "2", "3"}) {
      (void)search(std::string("many.00") + shard + ".gsx", std::string("part") + shard);
      merge.push_back(std::string("part") + shard + asked.suffix);
      merge.push_back(std::string("part") + shard + ".json");
    }
    check_output(index.gsx(merge), "");
    CHECK(index.folder.read("all" + asked.suffix) + without_index(index.folder.read("all.json")) ==
          whole);
  }
  // What cannot match by its symbols: X and B, which no record has.
  const std::string summary = index.folder.read("whole.json");
  CHECK(contains(summary, "\"queries_that_cannot_match\":2"));
  CHECK(contains(summary, "\"equal\":\"IL\""));
  CHECK(contains(summary, "\"absent_symbols\":{\"B\":1,\"X\":1}"));
}

TEST_CASE("--equal is refused where it has no meaning, and where a GPU is demanded") {
  const IndexedFolder dna(">x\nACGTTGCAACGGT\n");
  check_failure(dna.gsx({"count", "--equal", "CT", "-p", "ACG"}), 2, {"--equal", "DNA", "--iupac"});
  const IndexedFolder index(proteins);
  check_failure(index.gsx({"count", "--equal", "I", "-p", "AIR"}), 2, {"--equal", "two letters"});
  check_failure(index.gsx({"count", "--equal", "IL,LK", "-p", "AIR"}), 2,
                {"--equal", "'L'", "twice"});
  check_failure(index.gsx({"locate", "--equal", "I1", "-p", "AIR"}), 2, {"--equal", "'1'"});
  check_failure(index.gsx({"count", "--equal", "IL", "-k", "1", "-p", "AIR"}), 2, {"-k", "DNA"});
  check_failure(index.gsx({"count", "--equal", "IL", "--device", "cuda", "-p", "AIR"}), 7,
                {"--device cuda", "--equal", "CPU"});
  // A letter cannot match if the index has none of its group.
  const IndexedFolder without(">P\nMKAGRNQQ\n", {"--alphabet", "protein"});
  const Outcome absent = without.gsx({"count", "--equal", "IL", "-p", "AIR", "-p", "AG"});
  CHECK(absent.exit_code == 0);
  CHECK(contains(absent.err, "first: 'I' in 'AIR'"));
  const IndexedFolder text(">t\nabcABCab-ab\n", {"--alphabet", "bytes"});
  check_output(text.gsx({"count", "--equal", "aA,-c", "-p", "ab-", "-p", "aB"}),
               std::string(header) + "ab-\t3\t2\t2\t0\naB\t2\t1\t1\t0\n");
}

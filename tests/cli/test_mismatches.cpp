// count and locate with mismatches (-k) and degenerate patterns (--iupac).
#include "support/indexed.hpp"

using namespace gsx::testing;

namespace {

// Two segments in x; y holds the reverse complement of x's beginning.
constexpr const char* genome = ">x\nACGTACGAACCTNNACGATT\n>y\ntcgtacgt\n";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("locate -k finds every place with at most so many mismatches, in every format") {
  const IndexedFolder index(genome);
  const auto lines_of_query = [](const std::string& name) {
    const auto line = [&name](const std::string& place) {
      return name + '\t' + place + "\t4\t4\tno\n";
    };
    return line("x\t0\t7\t+\t0") + line("x\t1\t8\t-\t1") + line("y\t0\t7\t+\t1") +
           line("y\t1\t8\t-\t0");
  };
  check_output(index.gsx({"locate", "--no-header", "-k", "1", "-p", "ACGTACG"}),
               lines_of_query("ACGTACG"));
  for (const char* threads : {"1", "3"}) {
    check_output(index.gsx({"locate", "--no-header", "-k", "1", "-t", threads, "-f", "-"},
                           "ACGTACG\nTTTTTTT\nacguacg\n"),
                 lines_of_query("ACGTACG") + lines_of_query("acguacg"));
  }
  check_output(index.gsx({"locate", "--paf", "-k", "1", "-p", "ACGTACG", "--strand", "fwd"}),
               "ACGTACG\t7\t0\t7\t+\tx\t20\t0\t7\t7\t7\t255\tNM:i:0\tnh:i:2\tcg:Z:7=\n"
               "ACGTACG\t7\t0\t7\t+\ty\t8\t0\t7\t6\t7\t255\tNM:i:1\tnh:i:2\tcg:Z:1X6=\n");
  check_output(index.gsx({"locate", "--paf", "-k", "2", "-p", "TCGTTCGA", "--strand", "rev"}),
               "TCGTTCGA\t8\t0\t8\t-\tx\t20\t0\t8\t6\t8\t255\tNM:i:2\tnh:i:2\tcg:Z:1X2=1X4=\n"
               "TCGTTCGA\t8\t0\t8\t-\ty\t8\t0\t8\t6\t8\t255\tNM:i:2\tnh:i:2\tcg:Z:3=1X3=1X\n");
  check_output(index.gsx({"locate", "--bed", "-k", "1", "-p", "ACGTACG"}),
               "x\t0\t7\tACGTACG\t0\t+\nx\t1\t8\tACGTACG\t1\t-\n"
               "y\t0\t7\tACGTACG\t1\t+\ny\t1\t8\tACGTACG\t0\t-\n");
  check_output(index.gsx({"locate", "--jsonl", "-k", "1", "--strand", "rev", "-p", "ACGTACG"}),
               "{\"query_id\":\"ACGTACG\",\"length\":7,\"n_total\":2,\"n_reported\":2,"
               "\"truncated\":false,\"hits\":[{\"target_id\":\"x\",\"start\":1,\"end\":8,"
               "\"strand\":\"-\",\"mismatches\":1},{\"target_id\":\"y\",\"start\":1,\"end\":8,"
               "\"strand\":\"-\",\"mismatches\":0}]}\n");
}

TEST_CASE("--max-hits keeps the hits with the fewest mismatches, in output order") {
  const IndexedFolder index(genome);
  const Outcome capped =
      index.gsx({"locate", "--no-header", "-k", "1", "--max-hits", "2", "-p", "ACGTACG"});
  CHECK(capped.exit_code == 0);
  CHECK(capped.out ==
        "ACGTACG\tx\t0\t7\t+\t0\t4\t2\tyes\n"
        "ACGTACG\ty\t1\t8\t-\t0\t4\t2\tyes\n");
  const Outcome one = index.gsx({"locate", "--max-hits", "1", "-p", "ACG"});
  CHECK(one.err.find("more than 1 hit; only 1 of each was written") != std::string::npos);
  CHECK(capped.err.find("1 query has more than 2 hits; only 2 of each were written") !=
        std::string::npos);
}

TEST_CASE("count -k counts by strand, and by number of mismatches if asked to") {
  const IndexedFolder index(genome);
  check_output(index.gsx({"count", "-k", "1", "-p", "ACGTACG", "-p", "ACGN"}),
               "query_id\tlength\tcount\tcount_fwd\tcount_rev\n"
               "ACGTACG\t7\t4\t2\t2\n"
               "ACGN\t4\t7\t4\t3\n");
  check_output(index.gsx({"count", "-k", "1", "--by-mismatches", "-p", "ACGTACG", "-p", "ACGN"}),
               "query_id\tlength\tcount\tcount_fwd\tcount_rev\tcount_0\tcount_1\n"
               "ACGTACG\t7\t4\t2\t2\t2\t2\n"
               "ACGN\t4\t7\t4\t3\t0\t7\n");
  check_output(index.gsx({"count", "-k", "1", "--by-record", "--no-header", "-p", "ACGTACG"}),
               "ACGTACG\tx\t2\t1\t1\nACGTACG\ty\t2\t1\t1\n");
  // A palindrome is found on both strands unless it is to count once.
  check_output(index.gsx({"count", "-k", "1", "--no-header", "-p", "ACGT"}), "ACGT\t4\t12\t6\t6\n");
  check_output(index.gsx({"count", "-k", "1", "--no-header", "--palindromes", "once", "-p", "ACGT",
                          "-p", "ACGTACG"}),
               "ACGT\t4\t6\t6\t0\nACGTACG\t7\t4\t2\t2\n");
  check_error(index.gsx({"count", "--by-mismatches", "-p", "ACGT"}), 2, {"--by-mismatches", "-k"});
}

TEST_CASE("--palindromes once reports a place once, on the strand with fewer mismatches") {
  const IndexedFolder index(">x\nACGTTAACGANNTCGTTAACGT\n");
  const auto asked = [&](Arguments all, const Arguments& more) {
    all.insert(all.end(), more.begin(), more.end());
    return index.gsx(all);
  };
  // The query, and its reverse complement TCGTTAACGT, are both near the two places.
  const Arguments near = {"--no-header", "-k", "2", "-p", "ACGTTAACGA"};
  check_output(asked({"count"}, near), "ACGTTAACGA\t10\t4\t2\t2\n");
  check_output(asked({"count", "--palindromes", "once"}, near), "ACGTTAACGA\t10\t2\t1\t1\n");
  check_output(asked({"count", "--palindromes", "once", "--by-mismatches"}, near),
               "ACGTTAACGA\t10\t2\t1\t1\t2\t0\t0\n");
  check_output(asked({"count", "--palindromes", "once", "--by-record"}, near),
               "ACGTTAACGA\tx\t2\t1\t1\n");
  check_output(asked({"locate", "--palindromes", "once"}, near),
               "ACGTTAACGA\tx\t0\t10\t+\t0\t2\t2\tno\n"
               "ACGTTAACGA\tx\t12\t22\t-\t0\t2\t2\tno\n");
  check_output(asked({"locate", "--palindromes", "once", "-q", "--max-hits", "1"}, near),
               "ACGTTAACGA\tx\t0\t10\t+\t0\t2\t1\tyes\n");
  check_output(asked({"locate", "--palindromes", "once", "--strand", "rev"}, near),
               "ACGTTAACGA\tx\t0\t10\t-\t2\t2\t2\tno\n"
               "ACGTTAACGA\tx\t12\t22\t-\t0\t2\t2\tno\n");
  CHECK(contains(output_of(asked({"locate", "--sam"}, near)), "\t1\t10M\t"));
  const std::string sam = output_of(asked({"locate", "--sam", "--palindromes", "once"}, near));
  CHECK(contains(sam, "\tx\t1\t3\t10M\t"));
  CHECK(contains(sam, "\tNH:i:2\t"));
  // As sets of letters: R is A or G, and Y, its complement, T or C.
  check_output(asked({"count", "--no-header", "--iupac"}, {"-p", "RTTAAC", "-p", "GTTAAY"}),
               "RTTAAC\t6\t4\t2\t2\nGTTAAY\t6\t4\t2\t2\n");
  check_output(asked({"count", "--no-header", "--iupac", "--palindromes", "once"},
                     {"-p", "RTTAAC", "-p", "GTTAAY", "-p", "GTTRAC"}),
               "RTTAAC\t6\t2\t2\t0\nGTTAAY\t6\t2\t2\t0\nGTTRAC\t6\t2\t2\t0\n");
}

TEST_CASE("--iupac reads letters as sets, with and without mismatches") {
  const IndexedFolder index(genome);
  check_output(index.gsx({"locate", "--no-header", "--iupac", "-p", "ACGW"}),
               "ACGW\tx\t0\t4\t+\t0\t7\t7\tno\nACGW\tx\t0\t4\t-\t0\t7\t7\tno\n"
               "ACGW\tx\t4\t8\t+\t0\t7\t7\tno\nACGW\tx\t14\t18\t+\t0\t7\t7\tno\n"
               "ACGW\ty\t0\t4\t-\t0\t7\t7\tno\nACGW\ty\t4\t8\t+\t0\t7\t7\tno\n"
               "ACGW\ty\t4\t8\t-\t0\t7\t7\tno\n");
  check_output(index.gsx({"count", "--no-header", "--iupac", "-k", "1", "-p", "acgn"}),
               "acgn\t4\t12\t6\t6\n");
}

TEST_CASE("queries that cannot be asked for have no hits, and are named") {
  const IndexedFolder index(genome);
  check_error(index.gsx({"count", "-k", "4", "-p", "ACGT"}), 2, {"ACGT", "not longer than the 4"});
  check_error(index.gsx({"count", "--iupac", "-p", "NNN"}), 2, {"NNN", "any sequence"});
  check_error(index.gsx({"count", "--iupac", "-p", "ACXG"}), 2, {"ACXG", "'X'", "IUPAC"});
  check_error(index.gsx({"count", "-k", "1", "-p", "AC-GT"}), 2, {"'-'"});
  const Outcome some = index.gsx({"count", "-k", "3", "-f", "-", "--no-header", "--summary", "s"},
                                 "short\tACG\nACGTACG\n");
  CHECK(some.exit_code == 0);
  CHECK(some.out == "short\t3\t0\t0\t0\nACGTACG\t7\t6\t3\t3\n");
  CHECK(some.err.find("1 of 2 queries cannot be asked for") != std::string::npos);
  CHECK(index.folder.read("s").find("\"queries_that_cannot_match\":1") != std::string::npos);
  check_error(index.gsx({"count", "-k", "3", "-f", "-"}, "short\tACG\n"), 3,
              {"no query can match", "'short'"});
  const IndexedFolder proteins(">p\nMKVLAAGIVTEE\n", {"--alphabet", "protein"});
  check_error(proteins.gsx({"count", "-k", "1", "-p", "MKV"}), 2, {"-k", "DNA", "protein"});
  check_error(proteins.gsx({"count", "--iupac", "-p", "MKV"}), 2, {"--iupac", "DNA"});
}

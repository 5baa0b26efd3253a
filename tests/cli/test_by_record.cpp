// count --by-record: how often each query occurs in each record.
#include <map>

#include "support/indexed.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* header = "query_id\ttarget_id\tcount\tcount_fwd\tcount_rev\n";
// Record x occurs twice; y contains no query, and z has two segments.
constexpr const char* genome = ">x\nACGACG\n>y\nCCCCC\n>x\nCGTT\n>empty\n>z\nACGNNACGT\n>last\n\n";

}  // namespace

TEST_CASE("count --by-record has a line per query and record with hits, in input order") {
  const IndexedFolder index(genome);
  const std::string lines =
      "ACG\tx\t2\t2\t0\n"
      "ACG\tx\t1\t0\t1\n"
      "ACG\tz\t3\t2\t1\n"
      "q\tx\t1\t0\t1\n"
      "ACGT\tz\t2\t1\t1\n";
  index.folder.write("list.txt", "ACG\nGGGTGGG\nq\tAACG\nACNG\nACGT\n");
  for (const char* threads : {"1", "3"}) {
    for (const char* batch : {"1", "1000"}) {
      const Arguments request{"count",   "--by-record", "-t", threads,
                              "--batch", batch,         "-f", "list.txt"};
      check_output(index.gsx(request), header + lines);
    }
  }
  check_output(index.gsx({"count", "--by-record", "--no-header", "--strand", "rev", "-p", "ACG"}),
               "ACG\tx\t1\t0\t1\nACG\tz\t1\t0\t1\n");
  check_output(index.gsx({"count", "--by-record", "--no-header", "--palindromes", "once", "-p",
                          "ACGT", "-p", "ACG"}),
               "ACGT\tz\t1\t1\t0\nACG\tx\t2\t2\t0\nACG\tx\t1\t0\t1\nACG\tz\t3\t2\t1\n");
  check_output(index.gsx({"count", "--by-record", "-p", "GGGTGGG"}), header);
  const Outcome summary =
      index.gsx({"count", "--by-record", "--summary", "s", "--unmatched", "u", "-f", "list.txt"});
  CHECK(summary.err.find("5 queries, 3 with hits, 9 hits") != std::string::npos);
  CHECK(index.folder.read("s").find("\"by_record\":true") != std::string::npos);
  CHECK(index.folder.read("u") == ">GGGTGGG\nGGGTGGG\n>ACNG\nACNG\n");
}

TEST_CASE("the counts by record are those of locate's hits, and add up to count's") {
  Random random(20);
  std::string fasta, queries;
  for (int r = 0; r < 30; ++r) {
    // There are few names, so that many records share one.
    fasta +=
        ">r" + std::to_string(r) + '\n' + random_string(random, below(random, 400), "ACGTN") + '\n';
  }
  for (int q = 0; q < 60; ++q) {
    queries += ">q" + std::to_string(q) + '\n' +
               random_string(random, 1 + below(random, 5), "ACGT") + '\n';
  }
  const IndexedFolder index(fasta);
  index.folder.write("q.fa", queries);
  // By query and record: hits on either strand.
  std::map<std::pair<std::string, std::string>, std::pair<int, int>> expected;
  std::istringstream hits(output_of(index.gsx({"locate", "--no-header", "q.fa"})));
  for (std::string query, target, start, end, strand, rest;
       hits >> query >> target >> start >> end >> strand && std::getline(hits, rest);) {
    auto& [forward, reverse] = expected[{query, target}];
    ++(strand == "+" ? forward : reverse);
  }
  std::istringstream lines(output_of(index.gsx({"count", "--by-record", "--no-header", "q.fa"})));
  std::map<std::string, int> totals;
  std::size_t found = 0;
  std::string query, target;
  for (int count = 0, forward = 0, reverse = 0;
       lines >> query >> target >> count >> forward >> reverse; ++found) {
    CAPTURE(query);
    CAPTURE(target);
    CHECK(count == forward + reverse);
    CHECK(expected[{query, target}] == std::pair(forward, reverse));
    totals[query] += count;
  }
  CHECK(found == expected.size());
  std::istringstream counts(output_of(index.gsx({"count", "--no-header", "q.fa"})));
  for (std::string rest, length, count;
       counts >> query >> length >> count && std::getline(counts, rest);) {
    CHECK(totals[query] == std::stoi(count));
  }
}

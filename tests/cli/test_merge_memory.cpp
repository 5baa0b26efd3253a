// gsx merge holds lines of its parts, not the parts.
#include "support/program.hpp"
#include "support/skip.hpp"

using namespace gsx::testing;

namespace {

constexpr double most_megabytes = 30;

/// Peak host memory in MB, from the closing line of a run.
double peak_of(const Outcome& outcome) {
  const std::string before = "peak memory ";
  const auto at = outcome.err.find(before);
  REQUIRE(at != std::string::npos);
  return std::stod(outcome.err.substr(at + before.size()));
}

}  // namespace

TEST_CASE("the memory of a merge does not grow with the parts") {
  GSX_SKIP_IF(sanitized, "a sanitizer takes memory of its own");
  const TemporaryFolder folder;
  const auto check = [&](const Arguments& arguments, const std::string& merged) {
    const Outcome outcome = run(arguments, {.folder = folder.path()});
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(peak_of(outcome) < most_megabytes);
    CHECK((folder.read("merged") == merged));
  };
  // Many queries.
  const std::string header = "query_id\tlength\tcount\tcount_fwd\tcount_rev\n";
  std::string part = header, sum = header;
  while (part.size() < 40'000'000) {
    const std::string name = "read" + std::to_string(part.size()) + "\t100\t";
    part += name + "3\t2\t1\n";
    sum += name + "6\t4\t2\n";
  }
  folder.write("p0.tsv", part);
  folder.write("p1.tsv", part);
  check({"merge", "p0.tsv", "p1.tsv", "-o", "merged"}, sum);
  // A query with many hits, in one line.
  std::string hits;
  std::uint64_t number = 0;
  for (; hits.size() < 40'000'000; ++number)
    hits += (number == 0 ? "" : ",") + std::string("{\"target_id\":\"t\",\"start\":") +
            std::to_string(number) + ",\"end\":9,\"strand\":\"+\",\"mismatches\":0}";
  const auto line = [](std::uint64_t total, const std::string& all) {
    const std::string digits = std::to_string(total);
    return R"({"query_id":"q","length":3,"n_total":)" + digits + ",\"n_reported\":" + digits +
           ",\"truncated\":false,\"hits\":[" + all + "]}\n";
  };
  folder.write("p0.jsonl", line(number, hits));
  folder.write("p1.jsonl", line(0, ""));
  folder.write("p2.jsonl", line(number, hits));
  check({"merge", "p0.jsonl", "p1.jsonl", "p2.jsonl", "-o", "merged"},
        line(2 * number, hits + ',' + hits));
}

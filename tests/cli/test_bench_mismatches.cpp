// gsx bench --work mismatches: rows for scans, reads and guides, with their units; DNA only.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/program.hpp"

using namespace gsx::testing;

namespace {

Outcome bench(const std::string& text, const std::string& reads) {
  return run({"bench", "--device", "cpu", "--text", text, "--length", "20000", "--reads", reads,
              "--repeat", "2", "-q", "-t", "2", "--work", "mismatches", "--csv"});
}

}  // namespace

TEST_CASE("bench: searches with mismatches have rows with their units") {
  const Outcome outcome = bench("genome", "200");
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  const std::vector<std::string> expected[] = {
      {"scan, 20-mers, k = 3, 10 at a time", "patterns/s"},
      {"scan, 20-mers, k = 3, 100 at a time", "patterns/s"},
      {"scan, IUPAC motif of 20, k = 1", "patterns/s"},
      {"count, k = 3, 1 % changed of 150", "reads/s"},
      {"locate, k = 3, 1 % changed of 150", "reads/s"},
      {"guides beside NGG, k = 4, table is made", "guides/s"},
      {"guides beside NGG, k = 4, table is there", "guides/s"}};
  for (const auto& row : expected) {
    CAPTURE(row[0]);
    const auto begin = outcome.out.find("\n\"" + row[0] + "\",");
    REQUIRE(begin != std::string::npos);
    const std::string line =
        outcome.out.substr(begin + 1, outcome.out.find('\n', begin + 1) - begin - 1);
    CHECK(line.find("," + row[1] + ",") != std::string::npos);
    const std::string runs = line.substr(line.rfind(',') + 1);
    CHECK(std::count(runs.begin(), runs.end(), ' ') == 1);
  }
}

TEST_CASE("bench: searches with mismatches need DNA") {
  const Outcome outcome = bench("protein", "64");
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == "error: --work mismatches needs a text of DNA\n");
}

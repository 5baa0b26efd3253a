// gsx bench runs everything it names and says what it measured.
#include <doctest/doctest.h>

#include <sstream>

#include "support/program.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* header = "work,seconds,rate,unit,traffic,traffic_unit,ceiling,share\n";

/// A small run on the CPU; `more` comes behind its options.
Outcome bench(const Arguments& more) {
  Arguments arguments = {"bench", "--device", "cpu", "--length", "20000", "--reads",
                         "64",    "--repeat", "1",   "-q",       "-t",    "2"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Outcome outcome = run(arguments);
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  return outcome;
}

bool has(const Outcome& outcome, const std::string& work) {
  return outcome.out.find("\n\"" + work) != std::string::npos;
}

}  // namespace

TEST_CASE("bench measures everything and holds it against ceilings") {
  const Outcome result = bench({"--csv"});
  CHECK(result.out.starts_with(header));
  for (const std::string expected :
       {"ceiling: copy", "ceiling: random 64-byte lines of 16 MB", "suffix array", "BWT",
        "FM-index", "peak host memory", "access", "rank", "select", "count, reads of 20",
        "count, 1 % changed of 50", "count, unrelated of 150", "FASTQ to TSV, count",
        "FASTQ to BED, locate", "locate, every 1. row", "locate, every 32. row"}) {
    CAPTURE(expected);
    CHECK(has(result, expected));
  }
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    if (line.starts_with("\"count")) {
      CHECK(line.find(",lines/s,\"random 64-byte lines of 16 MB\",") != std::string::npos);
    }
    if (line.starts_with("\"BWT")) {
      CHECK(line.find(",B/s,\"copy, read + write\",") != std::string::npos);
    }
  }
}

TEST_CASE("bench takes every text") {
  for (const std::string text :
       {"genome", "random", "copies", "fibonacci", "run", "protein", "prose"}) {
    CAPTURE(text);
    const Outcome result = bench({"--csv", "--text", text, "--work",
                                  "build,sequence,count,locate,pipeline", "--sa-rates", "16"});
    CHECK(has(result, "suffix array"));
    CHECK(has(result, "count, reads of 20"));
    CHECK(!has(result, "ceiling"));
  }
}

TEST_CASE("bench does the work asked for and no other") {
  const Outcome build = bench({"--work", "build"});
  CHECK(build.out.find("FM-index") != std::string::npos);
  CHECK(build.out.find("count") == std::string::npos);
  const Outcome locate = bench({"--csv", "--work", "locate", "--sa-rates", "2,7"});
  CHECK(has(locate, "locate, every 2. row"));
  CHECK(has(locate, "locate, every 7. row"));
  CHECK(!has(locate, "count"));
  CHECK(!has(locate, "BWT"));
  const Outcome none = run({"bench", "--device", "cpu", "--length", "20000", "--repeat", "1",
                            "--work", "build,count", "--reads", "0", "--csv", "-q"});
  CHECK(none.exit_code == 0);
  CHECK(has(none, "BWT"));
  CHECK(!has(none, "count"));
  CHECK(run({"bench", "--work", "sing"}).exit_code == 2);
  CHECK(run({"bench", "--sa-rates", "0"}).exit_code == 2);
}

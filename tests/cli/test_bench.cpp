// gsx bench runs everything it names and says what it measured.
#include <doctest/doctest.h>

#include <sstream>

#include "support/program.hpp"

using namespace gsx::testing;

TEST_CASE("bench prints ceilings, builds and searches as CSV") {
  for (const std::string text :
       {"genome", "random", "copies", "fibonacci", "run", "protein", "prose"}) {
    CAPTURE(text);
    const Outcome result = run({"bench", "--device", "cpu", "--text", text, "--length", "20000",
                                "--reads", "64", "--repeat", "1", "--csv", "-q", "-t", "2"});
    REQUIRE(result.exit_code == 0);
    CHECK(result.err.empty());
    std::istringstream lines(result.out);
    std::string line;
    std::getline(lines, line);
    CHECK(line == "work,seconds,rate,unit");
    for (const std::string expected :
         {"ceiling: copy", "suffix array", "BWT", "FM-index", "count, reads of 20"}) {
      CHECK(result.out.find("\n\"" + expected) != std::string::npos);
    }
  }
}

// Queries that a search with mismatches cannot ask for.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "search/mismatches/unasked.hpp"

namespace gsx {
namespace {

/// Whether all_asked() says so of these queries together.
bool all_of_them(const std::vector<std::string>& queries, const MismatchRules& rules) {
  std::string symbols;
  std::vector<std::uint64_t> ends;
  for (const std::string& query : queries) {
    symbols += query;
    ends.push_back(symbols.size());
  }
  return all_asked(symbols, ends, rules);
}

TEST_CASE("a quick look at a batch finds the queries that cannot be asked for") {
  const std::string usual(150, 'A');
  for (const std::string& query : {std::string("ACGTNacgtnRYuU"), std::string("QZAAA"), usual})
    CHECK(all_of_them({usual, query, usual}, {3, false}));
  for (const char* query : {"ACG", "AC", "ACGT-ACGT", "ACGTA*", "ACGTA[", "ACGTA@", "ACGTA{",
                            "ACGTA`", "ACGT\xC3\xA4G", "ACGT ACGT"}) {
    CAPTURE(query);
    CHECK(why_unasked(query, {3, false}));
    for (const std::vector<std::string>& some :
         {std::vector<std::string>{query}, {usual, query}, {query, usual}})
      CHECK_FALSE(all_of_them(some, {3, false}));
  }
  for (int c = 0; c < 256; ++c) {
    const std::string query = "ACGT" + std::string(1, static_cast<char>(c)) + "ACGT";
    CAPTURE(c);
    REQUIRE(all_of_them({usual, query}, {1, false}) == !why_unasked(query, {1, false}));
  }
}

}  // namespace
}  // namespace gsx

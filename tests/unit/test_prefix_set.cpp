// Longest prefix match against a look at every entry.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "search/sets/prefix_queries.hpp"
#include "search/sets/prefix_set.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr std::uint32_t none = PrefixSetView::none;

std::vector<std::string_view> views(const std::vector<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

std::uint32_t naive_longest(const std::vector<std::string>& entries, std::string_view query) {
  std::uint32_t found = none;
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    if (!query.starts_with(entries[i])) continue;
    if (found == none || entries[i].size() > entries[found].size()) found = i;
  }
  return found;
}

void check(const std::vector<std::string>& entries, const std::vector<std::string>& queries) {
  const auto sequences = views(entries);
  const PrefixSet set(sequences);
  REQUIRE(set.size() == entries.size());
  std::vector<std::uint32_t> found(queries.size());
  find_longest_prefixes(set, views(queries), found);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    CAPTURE(queries[q]);
    REQUIRE(found[q] == naive_longest(entries, queries[q]));
  }
}

/// Distinct random strings of lengths in [least, most], in random order.
std::vector<std::string> random_entries(Random& random, std::size_t size, std::uint64_t least,
                                        std::uint64_t most, const char* letters) {
  std::set<std::string> distinct;
  for (std::size_t i = 0; i < size; ++i)
    distinct.insert(random_string(random, least + below(random, most - least + 1), letters));
  std::vector<std::string> entries(distinct.begin(), distinct.end());
  std::shuffle(entries.begin(), entries.end(), random);
  return entries;
}

/// Entries as they are, cut short, made longer, with a wrong or a foreign letter, and others.
std::vector<std::string> queries_for(Random& random, const std::vector<std::string>& entries,
                                     const char* letters) {
  std::vector<std::string> queries = {"",  "A",  "T",
                                      "N", "NA", "TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT"};
  for (const std::string& entry : entries) {
    queries.push_back(entry);
    queries.push_back(entry.substr(0, below(random, entry.size() + 1)));
    queries.push_back(entry + random_string(random, below(random, 40), letters));
    std::string changed = entry + random_string(random, 5, letters);
    changed[below(random, changed.size())] = "ACGTN"[below(random, 5)];
    queries.push_back(changed);
    queries.push_back(random_string(random, below(random, 80), letters));
  }
  return queries;
}

}  // namespace

TEST_CASE("longest prefixes: random entries of many lengths, crowded and far apart") {
  Random random(31);
  for (const auto& [least, most] :
       {std::pair{1, 4}, {1, 12}, {8, 8}, {1, 33}, {31, 34}, {1, 130}}) {
    for (const char* letters : {"ACGT", "AC", "AAAAAAAC", "GT"}) {
      for (const std::size_t size : {1, 5, 300}) {
        const auto entries = random_entries(random, size, static_cast<std::uint64_t>(least),
                                            static_cast<std::uint64_t>(most), letters);
        check(entries, queries_for(random, entries, letters));
      }
    }
  }
}

TEST_CASE("longest prefixes: entries that are prefixes of one another") {
  Random random(32);
  for (const std::string& word :
       {std::string(100, 'A'), std::string(100, 'T'), random_string(random, 1024, "ACGT")}) {
    std::vector<std::string> chain;
    for (std::size_t length = 1; length <= word.size(); length += 1 + length / 40)
      chain.push_back(word.substr(0, length));
    check(chain, queries_for(random, chain, "ACGT"));
    std::ranges::reverse(chain);
    check(chain, queries_for(random, chain, "AT"));
  }
}

TEST_CASE("longest prefixes: letters in either case, U, and an empty set") {
  const std::vector<std::string> entries = {"acgu", "AC", "ttu"};
  const std::vector<std::string> queries = {"ACGTA", "acguN", "ACNGT", "TTTA", "ttg", "uuu"};
  const PrefixSet set(views(entries));
  std::vector<std::uint32_t> found(queries.size());
  find_longest_prefixes(set, views(queries), found);
  CHECK(found == std::vector<std::uint32_t>{0, 0, 1, 2, none, 2});
  const PrefixSet empty(std::span<const std::string_view>{});
  find_longest_prefixes(empty, views(queries), found);
  CHECK(found == std::vector<std::uint32_t>(queries.size(), none));
}

TEST_CASE("a set of prefixes refuses what is no sequence, and what is there twice") {
  const auto make = [](const std::vector<std::string>& entries) { PrefixSet set(views(entries)); };
  CHECK_THROWS_WITH_AS(make({"A", ""}), "sequence 1 of the set is empty", UsageError);
  CHECK_THROWS_AS(make({"ACN"}), UsageError);
  CHECK_THROWS_AS(make({std::string(1025, 'A')}), UsageError);
  make({std::string(1024, 'A')});
  try {
    make({"C", "ACT", "ACG", "GG", "acu"});
    CHECK(false);
  } catch (const DuplicateSequence& error) {
    CHECK(error.first == 1);
    CHECK(error.second == 4);
  }
}

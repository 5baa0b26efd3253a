// Random searches with mismatches, and what a searcher finds.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "search/mismatches/mismatches.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

namespace gsx::testing {

/// What a searcher finds, chunk after chunk.
struct FoundPlaces {
  std::vector<StrandCounts> counts;
  std::vector<std::vector<Hit>> hits;  ///< of each pattern
};

/// Streams the hits, and checks that the chunks keep their rules.
inline FoundPlaces stream(const MismatchSearcher& searcher, const SetPatterns& patterns,
                          const MismatchRequest& request, std::uint64_t at_once) {
  FoundPlaces found;
  searcher.stream(patterns, request, [&](const HitChunk& chunk) {
    REQUIRE(chunk.patterns() > 0);
    REQUIRE(chunk.ends.size() == chunk.patterns());
    REQUIRE(chunk.ends.back() == chunk.hits.size());
    CHECK(chunk.hits.size() <= std::max<std::uint64_t>(1, at_once));
    CHECK(chunk.max_hits == request.max_hits);
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::size_t pattern = chunk.first + i;
      REQUIRE(pattern <= found.hits.size());
      if (pattern == found.hits.size()) {
        found.hits.emplace_back();
        found.counts.push_back(chunk.counts[i]);
      }
      REQUIRE(pattern + 1 == found.hits.size());
      if (i == 0) CHECK(chunk.before == found.hits[pattern].size());
      const std::uint64_t begin = i == 0 ? 0 : chunk.ends[i - 1];
      for (std::uint64_t at = begin; at < chunk.ends[i]; ++at)
        found.hits[pattern].push_back(chunk.hits[at]);
    }
  });
  return found;
}

inline bool same(const MismatchCounts& a, const MismatchCounts& b) {
  if (a.patterns() != b.patterns() || a.classes() != b.classes()) return false;
  for (std::size_t i = 0; i < a.patterns(); ++i)
    for (const bool reverse : {false, true})
      if (!std::ranges::equal(a.of(i, reverse), b.of(i, reverse))) return false;
  return true;
}

inline std::string random_record(Random& random) {
  const std::uint64_t length = below(random, 4) == 0 ? below(random, 9000) : below(random, 70);
  const std::string_view symbols = std::string_view("ACGT").substr(0, 1 + below(random, 4));
  std::string record;
  switch (below(random, 5)) {
    case 0:
      record = std::string(length, "ACGT"[below(random, 4)]);
      break;
    case 1:
      record = mutated_copies(random, 1 + below(random, 90), 1 + length / 40, 30, "ACGT");
      break;
    default:
      record = random_string(random, length, symbols);
  }
  for (std::uint64_t runs = below(random, 4); runs > 0 && !record.empty(); --runs)
    record.replace(below(random, record.size()), 1 + below(random, 20), 1 + below(random, 30), 'N');
  return record;
}

/// A piece of a record, changed here and there; or letters that need not occur.
inline std::vector<BaseSet> random_pattern(Random& random,
                                           const std::vector<std::string>& records) {
  const std::uint64_t kinds[] = {6, 24, 66, 130, 260};
  const std::uint64_t length = 1 + below(random, kinds[below(random, 5)]);
  const std::string& record = records[below(random, records.size())];
  std::string letters = random_string(random, length, "ACGT");
  if (!record.empty() && below(random, 5) != 0) {
    const std::uint64_t at = below(random, 3) == 0 ? 0 : below(random, record.size());
    letters = record.substr(at, length);
    if (below(random, 3) == 0) letters = record.substr(record.size() - letters.size());
  }
  const std::uint64_t odd = below(random, 4);
  std::vector<BaseSet> sets;
  for (const char letter : letters) {
    BaseSet set = iupac_base_set(letter);
    if (odd == 1 && below(random, 4) == 0) set = static_cast<BaseSet>(set | below(random, 16));
    if (odd == 2 && below(random, 8) == 0) set = static_cast<BaseSet>(below(random, 16));
    if (odd != 0 && below(random, 10) == 0) set |= base_sets::must_match;
    sets.push_back(set);
  }
  if (below(random, 6) == 0) {  // a palindrome
    const std::vector<BaseSet> other = reverse_complement_of(sets);
    sets.insert(sets.end(), other.begin(), other.end());
  }
  if (below(random, 40) == 0) sets.clear();
  return sets;
}

/// A text, patterns and a request, drawn at random.
struct MismatchCase {
  Text text;
  SetPatternBuffer patterns;
  MismatchRequest request;
  std::uint64_t at_once;  ///< hits
  int threads;
};

inline MismatchCase random_mismatch_case(Random& random) {
  std::vector<std::string> records;
  const std::uint64_t count = 1 + below(random, below(random, 4) == 0 ? 400 : 5);
  for (std::uint64_t i = 0; i < count; ++i)
    records.push_back(random_record(random));
  records.push_back("ACG");
  MismatchCase drawn{text_of_records(records), {}, {}, 0, 1};
  for (std::uint64_t i = below(random, 12); i > 0; --i)
    drawn.patterns.add(random_pattern(random, records));
  MismatchRequest& request = drawn.request;
  const Strands strands[] = {Strands::both, Strands::forward, Strands::reverse};
  request.strands = strands[below(random, 3)];
  request.mismatches = static_cast<std::uint32_t>(below(random, 13));
  if (below(random, 20) == 0) request.mismatches = static_cast<std::uint32_t>(below(random, 256));
  const std::uint64_t caps[] = {0, 1, 2, 10, 1000, unlimited};
  request.max_hits = caps[below(random, 6)];
  const std::uint64_t rooms[] = {1, 2, 7, 100, 5000, std::uint64_t{1} << 22};
  drawn.at_once = rooms[below(random, 6)];
  drawn.threads = static_cast<int>(1 + below(random, 3));
  return drawn;
}

/// Checks that a searcher, which holds `at_once` hits, finds what another one does.
inline void check_same(const MismatchSearcher& searcher, const MismatchSearcher& other,
                       const SetPatterns& patterns, const MismatchRequest& request,
                       std::uint64_t at_once) {
  MismatchCounts counts, expected;
  searcher.count(patterns, request, counts);
  other.count(patterns, request, expected);
  CHECK(same(counts, expected));
  const FoundPlaces hits = stream(searcher, patterns, request, at_once);
  const FoundPlaces expected_hits = stream(other, patterns, request, at_once);
  REQUIRE(hits.hits.size() == patterns.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    CAPTURE(i);
    CHECK(hits.hits[i] == expected_hits.hits[i]);
    CHECK(hits.counts[i].forward == expected_hits.counts[i].forward);
    CHECK(hits.counts[i].reverse == expected_hits.counts[i].reverse);
  }
}

}  // namespace gsx::testing

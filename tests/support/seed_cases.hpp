// Patterns for searches with mismatches, and all hits of a search.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "search/mismatches/mismatches.hpp"
#include "support/texts.hpp"

namespace gsx::testing {

/// A piece of a record, with some letters replaced, turned or doubled to a palindrome; or random.
inline std::string draw_pattern(Random& random, const std::vector<std::string>& records) {
  const std::string& record = records[below(random, records.size())];
  const std::uint64_t length = 1 + below(random, below(random, 3) == 0 ? 400 : 40);
  std::string pattern;
  if (record.empty() || below(random, 8) == 0) {
    pattern = random_string(random, length, "ACGT");
  } else {
    pattern = record.substr(below(random, record.size()), length);
    // It may be longer than the record.
    if (below(random, 6) == 0) pattern += random_string(random, 1 + below(random, 9), "ACGT");
  }
  for (std::uint64_t i = below(random, 6); i > 0; --i)
    pattern[below(random, pattern.size())] = "ACGTACGTNRYW"[below(random, 12)];
  const auto turned = [&] {
    std::string other(pattern.rbegin(), pattern.rend());
    for (char& c : other)
      c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : c == 'T' ? 'A' : c;
    return other;
  };
  if (below(random, 5) == 0) pattern += turned();
  return below(random, 2) == 0 ? pattern : turned();
}

inline SetPatternBuffer draw_patterns(Random& random, const std::vector<std::string>& records,
                                      int count) {
  SetPatternBuffer buffer;
  for (int i = 0; i < count; ++i)
    buffer.add(draw_pattern(random, records), below(random, 3) == 0);
  SetPatternBuffer strict;  // and some with positions that must match
  const SetPatterns patterns = buffer.patterns();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::vector<BaseSet> sets(patterns[i].begin(), patterns[i].end());
    for (std::uint64_t k = below(random, 4) == 0 ? below(random, 4) : 0; k > 0; --k)
      sets[below(random, sets.size())] |= base_sets::must_match;
    strict.add(sets);
  }
  return strict;
}

/// All hits, and whether the chunks were as a sink may expect them.
inline Hits hits_of(const MismatchSearcher& searcher, const SetPatterns& patterns,
                    const MismatchRequest& request, std::uint64_t at_once) {
  Hits all;
  std::size_t next = 0;      // first pattern of the next chunk
  std::uint64_t before = 0;  // hits of it that have been given
  std::uint64_t unlike = 0;
  std::map<std::size_t, std::uint32_t> spread;  // fewest mismatches of patterns in several chunks
  searcher.stream(patterns, request, [&](const HitChunk& chunk) {
    unlike += chunk.hits.size() > at_once || chunk.first != next || chunk.before != before;
    unlike += chunk.max_hits != request.max_hits || chunk.ends.back() != chunk.hits.size();
    const std::size_t last = chunk.patterns() - 1;
    const std::uint64_t own = chunk.ends[last] - (last == 0 ? 0 : chunk.ends[last - 1]);
    before = (last == 0 ? before : 0) + own;
    const bool ended = before == chunk.reported(last);
    unlike += !ended && own == 0;
    if (!ended) spread[chunk.first + last] = chunk.fewest_mismatches;
    next = chunk.first + last + (ended ? 1 : 0);
    if (ended) before = 0;
    all.append(chunk);
  });
  for (const auto& [pattern, fewest] : spread) {
    std::uint32_t least = most_mismatches;
    for (std::uint64_t i = pattern == 0 ? 0 : all.hit_ends[pattern - 1]; i < all.hit_ends[pattern];
         ++i)
      least = std::min(least, all.hits[i].mismatches());
    unlike += least != fewest;
  }
  CHECK(unlike == 0);
  CHECK(next == patterns.size());
  return all;
}

/// Whether a searcher finds and counts what comparing every place does.
inline void check_like(const MismatchSearcher& plain, const MismatchSearcher& seeds,
                       const SetPatterns& patterns, const MismatchRequest& request,
                       std::uint64_t at_once = unlimited) {
  CAPTURE(request.mismatches);
  CAPTURE(request.max_hits);
  CAPTURE(static_cast<int>(request.strands));
  const Hits expected = hits_of(plain, patterns, request, unlimited);
  const Hits found = hits_of(seeds, patterns, request, at_once);
  CHECK(found.hits == expected.hits);
  CHECK(found.hit_ends == expected.hit_ends);
  MismatchCounts expected_counts, counts;
  plain.count(patterns, request, expected_counts);
  seeds.count(patterns, request, counts);
  std::uint64_t unlike = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    for (const bool reverse : {false, true})
      unlike += !std::ranges::equal(counts.of(i, reverse), expected_counts.of(i, reverse));
    unlike += found.counts[i].forward != expected.counts[i].forward ||
              found.counts[i].reverse != expected.counts[i].reverse;
  }
  CHECK(unlike == 0);
}

}  // namespace gsx::testing

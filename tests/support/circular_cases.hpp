// Random circular records, and places on them found by looking everywhere.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "gsx/search.hpp"
#include "search/mismatches/set_patterns.hpp"
#include "support/texts.hpp"

namespace gsx::testing {

/// Records, of which some are circular.
struct CircularRecords {
  std::vector<std::string> sequences;
  std::vector<std::uint64_t> circular;  ///< numbers, ascending

  bool is_circular(std::uint64_t record) const {
    return std::ranges::binary_search(circular, record);
  }
};

inline CircularRecords random_circular_records(Random& random) {
  CircularRecords drawn;
  const std::uint64_t count = 1 + below(random, below(random, 8) == 0 ? 80 : 4);
  for (std::uint64_t r = 0; r < count; ++r) {
    const std::uint64_t length = 1 + below(random, below(random, 6) == 0 ? 400 : 24);
    const std::string_view symbols = std::string_view("ACGT").substr(0, 1 + below(random, 4));
    std::string sequence = random_string(random, length, symbols);
    if (below(random, 4) == 0)  // its own reverse complement
      for (std::uint64_t i = 0; i < length / 2; ++i)
        sequence[length - 1 - i] = "TGCA"[std::string_view("ACGT").find(sequence[i])];
    if (below(random, 8) == 0) sequence.front() = 'N';
    if (below(random, 8) == 0) sequence.back() = 'N';
    if (below(random, 4) == 0) sequence[below(random, length)] = 'N';
    drawn.sequences.push_back(sequence);
    if (below(random, 4) != 0) drawn.circular.push_back(r);
  }
  drawn.sequences.push_back("ACG");  // some base, for there to be a text
  return drawn;
}

/// Symbols of a record from somewhere on, round the circle and perhaps beyond its beginning; or
/// others.
inline std::string random_circular_pattern(Random& random, const CircularRecords& records) {
  const std::string& record = records.sequences[below(random, records.sequences.size())];
  const std::uint64_t longest = record.size() + 3;
  std::uint64_t length = 1 + below(random, below(random, 2) == 0 ? longest : 6);
  if (below(random, 4) == 0) length = record.size();
  const std::uint64_t start = below(random, record.size());
  std::string pattern;
  for (std::uint64_t i = 0; i < length; ++i)
    pattern += record[(start + i) % record.size()];
  if (below(random, 3) == 0) pattern[below(random, length)] = "ACGT"[below(random, 4)];
  if (below(random, 8) == 0) pattern = random_string(random, length, "ACGT");
  return pattern;
}

/// The places of a pattern, as searches give them, with up to `most` mismatches.
inline std::vector<Occurrence> circular_places(const CircularRecords& records,
                                               std::span<const BaseSet> pattern, Strands strands,
                                               std::uint32_t most) {
  std::vector<Occurrence> places;
  if (!can_be_asked(pattern, most)) return places;
  const std::vector<BaseSet> turned = reverse_complement_of(pattern);
  for (std::uint64_t r = 0; r < records.sequences.size(); ++r) {
    const std::string& record = records.sequences[r];
    for (std::uint64_t start = 0; start < record.size(); ++start) {
      const std::uint64_t end = start + pattern.size();
      if (end > record.size() && !(records.is_circular(r) && pattern.size() <= record.size()))
        continue;
      for (const bool reverse : {false, true}) {
        if (strands == (reverse ? Strands::forward : Strands::reverse)) continue;
        std::uint32_t mismatches = 0;
        for (std::uint64_t i = 0; i < pattern.size() && mismatches <= most; ++i) {
          const BaseSet set = reverse ? turned[i] : pattern[i];
          const auto code = std::string_view("ACGT").find(record[(start + i) % record.size()]);
          if (code == std::string_view::npos) {
            mismatches = most + 1;
          } else if (!has_base(set, static_cast<std::uint32_t>(code))) {
            mismatches += (set & base_sets::must_match) != 0 ? most + 1 : 1;
          }
        }
        if (mismatches <= most) places.push_back({r, start, end, reverse, mismatches});
      }
    }
  }
  return places;
}

}  // namespace gsx::testing

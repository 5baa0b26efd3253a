// Repeats and their pairs, found by comparing all places.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/repeats/repeat_values.hpp"
#include "support/strands.hpp"

namespace gsx::testing {

/// A place where a string can be read: on a strand, from a position of the forward strand to
/// another. On the reverse strand it is read from right to left.
struct RepeatReading {
  std::uint64_t begin, end;
  bool reverse;
};

/// All that can be read of a text, symbol by symbol, with no help of the code under test.
class Reader {
 public:
  explicit Reader(const TextStrands& strands)
      : text_(strands.text.view()), both_(strands.owner.has_value()) {}

  bool both() const { return both_; }
  /// The symbol at a position, or a number that nothing else has for separators and ends.
  std::int64_t at(std::int64_t p, bool reverse) const {
    const std::int64_t other = -2 * (p + 2) - (reverse ? 1 : 0);
    if (p < 0 || p >= static_cast<std::int64_t>(text_.length())) return other;
    const auto position = static_cast<std::uint64_t>(p);
    if (text_.segments.separator_from(position) == position) return other;
    const auto code = static_cast<std::int64_t>(text_.symbols[position]);
    return reverse ? 3 - code : code;
  }
  std::int64_t before(const RepeatReading& reading) const {
    return reading.reverse ? at(static_cast<std::int64_t>(reading.end), true)
                           : at(static_cast<std::int64_t>(reading.begin) - 1, false);
  }
  std::int64_t behind(const RepeatReading& reading) const {
    return reading.reverse ? at(static_cast<std::int64_t>(reading.begin) - 1, true)
                           : at(static_cast<std::int64_t>(reading.end), false);
  }
  std::string read(const RepeatReading& reading) const {
    std::string symbols;
    for (std::uint64_t p = reading.begin; p < reading.end; ++p) {
      const std::int64_t symbol = at(static_cast<std::int64_t>(p), reading.reverse);
      symbols += static_cast<char>('0' + symbol);
    }
    if (reading.reverse) std::reverse(symbols.begin(), symbols.end());
    return symbols;
  }
  /// All readings of a length, by what is read.
  std::map<std::string, std::vector<RepeatReading>> readings(std::uint64_t length) const {
    std::map<std::string, std::vector<RepeatReading>> all;
    for (std::uint64_t p = 0; p + length <= text_.length(); ++p) {
      if (text_.segments.separator_from(p) < p + length) continue;
      for (const bool reverse : {false, true}) {
        if (reverse && !both_) continue;
        const RepeatReading reading{p, p + length, reverse};
        all[read(reading)].push_back(reading);
      }
    }
    return all;
  }
  std::uint64_t longest() const {
    std::uint64_t most = 0;
    for (std::uint64_t s = 0; s < text_.segments.count; ++s)
      most = std::max(most, text_.segments.starts[s + 1] - 1 - text_.segments.starts[s]);
    return most;
  }

 private:
  TextView text_;
  bool both_;
};

/// A repeat with all its places; of a string and its reverse complement, the one whose first place
/// is on the forward strand.
struct FoundRepeats {
  std::uint64_t length, count;
  std::vector<std::pair<std::uint64_t, bool>> places;

  friend auto operator<=>(const FoundRepeats&, const FoundRepeats&) = default;
};

/// The maximal repeats: no extension of the string, on either side, occurs as often.
inline std::set<std::string> naive_strings(const Reader& reader, std::uint64_t least) {
  std::set<std::string> all;
  for (std::uint64_t length = least; length <= reader.longest(); ++length) {
    bool repeats = false;
    for (const auto& [string, readings] : reader.readings(length)) {
      if (readings.size() < 2) continue;
      repeats = true;
      std::set<std::int64_t> before, behind;
      for (const RepeatReading& reading : readings) {
        before.insert(reader.before(reading));
        behind.insert(reader.behind(reading));
      }
      if (before.size() > 1 && behind.size() > 1) all.insert(string);
    }
    if (!repeats) break;
  }
  return all;
}

/// Repeats by definition, and whether they are part of no other.
struct NaiveRepeats {
  std::vector<std::pair<FoundRepeats, bool>> all;

  NaiveRepeats(const Reader& reader, std::uint64_t least) {
    const std::set<std::string> strings = naive_strings(reader, least);
    std::map<std::uint64_t, std::map<std::string, std::vector<RepeatReading>>> by_length;
    for (const std::string& string : strings) {
      auto& readings = by_length[string.size()];
      if (readings.empty()) readings = reader.readings(string.size());
      std::map<std::uint64_t, int> strands;  // 1: forward, 2: reverse, 3: both, by place
      for (const RepeatReading& reading : readings[string])
        strands[reading.begin] |= reading.reverse ? 2 : 1;
      if (strands.size() < 2 || strands.begin()->second == 2) continue;
      FoundRepeats found{string.size(), strands.size(), {}};
      for (const auto& [begin, strand] : strands)
        found.places.emplace_back(begin, strand == 2);
      const bool is_part = std::ranges::any_of(strings, [&](const std::string& other) {
        return other.size() > string.size() && other.find(string) != std::string::npos;
      });
      all.emplace_back(found, !is_part);
    }
  }
  std::set<FoundRepeats> of(const RepeatRequest& request) const {
    std::set<FoundRepeats> some;
    for (const auto& [found, is_supermaximal] : all) {
      if (found.count >= request.min_count && (is_supermaximal || !request.supermaximal))
        some.insert(found);
    }
    return some;
  }
};

inline std::set<RepeatPair> naive_pairs(const TextStrands& strands, const Reader& reader,
                                        std::uint64_t least) {
  std::set<RepeatPair> all;
  const auto size = static_cast<std::int64_t>(strands.text.length());
  for (std::int64_t p = 0; p < size; ++p) {
    for (std::int64_t q = p + 1; q < size; ++q) {
      if (reader.at(p - 1, false) == reader.at(q - 1, false)) continue;
      std::int64_t length = 0;
      while (reader.at(p + length, false) == reader.at(q + length, false))
        ++length;
      if (length >= static_cast<std::int64_t>(least)) {
        all.insert({static_cast<std::uint64_t>(length), static_cast<std::uint64_t>(p),
                    static_cast<std::uint64_t>(q), false});
      }
    }
  }
  if (!reader.both()) return all;
  // What begins at p is compared with what is read from q to the left.
  for (std::int64_t p = 0; p < size; ++p) {
    for (std::int64_t q = 0; q < size; ++q) {
      if (reader.at(p - 1, false) == reader.at(q + 1, true)) continue;
      std::int64_t length = 0;
      while (reader.at(p + length, false) == reader.at(q - length, true))
        ++length;
      const std::int64_t other = q - length + 1;
      if (length >= static_cast<std::int64_t>(least) && p <= other) {
        all.insert({static_cast<std::uint64_t>(length), static_cast<std::uint64_t>(p),
                    static_cast<std::uint64_t>(other), true});
      }
    }
  }
  return all;
}

}  // namespace gsx::testing

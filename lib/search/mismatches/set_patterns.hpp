// Patterns whose positions are sets of bases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "search/mismatches/base_set.hpp"

namespace gsx {

/// Pattern i is sets[ends[i - 1], ends[i]); the first one starts at `begin`.
struct SetPatterns {
  std::span<const BaseSet> sets;
  std::span<const std::uint64_t> ends;
  std::uint64_t begin = 0;
  /// [size()]: what is_plain() says of each pattern. Empty if that is not known yet.
  std::span<const std::uint8_t> plain = {};

  std::size_t size() const { return ends.size(); }
  /// Of all patterns.
  std::uint64_t symbols() const { return ends.empty() ? 0 : ends.back() - begin; }
  std::uint64_t begin_of(std::size_t i) const { return i == 0 ? begin : ends[i - 1]; }
  std::span<const BaseSet> operator[](std::size_t i) const {
    return sets.subspan(begin_of(i), ends[i] - begin_of(i));
  }
  /// Patterns [first, last). Pre: first <= last <= size().
  SetPatterns some(std::size_t first, std::size_t last) const {
    return {sets, ends.subspan(first, last - first), begin_of(first),
            plain.empty() ? plain : plain.subspan(first, last - first)};
  }
  /// Whether each position of pattern i matches one base, and none must match.
  bool is_plain(std::size_t i) const {
    return plain.empty() ? gsx::is_plain((*this)[i]) : plain[i] != 0;
  }
};

/// Owns patterns; reused from batch to batch.
class SetPatternBuffer {
 public:
  void clear() {
    sets_.clear();
    ends_.clear();
    plain_.clear();
  }
  /// Adds a pattern of sets.
  void add(std::span<const BaseSet> pattern);
  /// Adds a pattern of letters: as IUPAC codes, or as bases, where every other letter is a
  /// mismatch.
  void add(std::string_view letters, bool iupac);
  /// Replaces the patterns by those of `ends` (as in SetPatterns, from 0) in `letters`.
  void encode(std::string_view letters, std::span<const std::uint64_t> ends, bool iupac);
  SetPatterns patterns() const { return {sets_, ends_, 0, plain_}; }

 private:
  void note_plain();

  std::vector<BaseSet> sets_;
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint8_t> plain_;
};

/// The reverse complement of a pattern.
std::vector<BaseSet> reverse_complement_of(std::span<const BaseSet> pattern);

/// Whether a pattern can be asked for with up to `mismatches` mismatches: it has more positions
/// than that, and not each of them matches any base. Any other one would match nearly everywhere.
bool can_be_asked(std::span<const BaseSet> pattern, std::uint32_t mismatches);

}  // namespace gsx

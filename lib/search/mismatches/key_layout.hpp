// Which positions of patterns make the keys that they are looked up by.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/host_device.hpp"
#include "search/mismatches/mismatches.hpp"
#include "search/mismatches/place_finder.hpp"

namespace gsx {

/// Some positions of a window of 32 bases, the first of which is in the highest bits. Their bases
/// are a key.
class KeyShape {
 public:
  static constexpr std::uint32_t most_bases = 16;

  /// A run of positions: (window >> shift) & mask is its part of the key.
  struct Run {
    std::uint32_t shift;
    std::uint32_t mask;
  };

  /// Bit i of `positions` tells of position i. Pre: it has 1 to most_bases of them.
  explicit KeyShape(std::uint32_t positions);

  GSX_HD std::uint32_t run_count() const { return run_count_; }
  GSX_HD const Run& run(std::uint32_t i) const { return runs_[i]; }
  /// The positions as bits 62 - 2i.
  GSX_HD std::uint64_t window_bits() const { return window_bits_; }
  GSX_HD std::uint32_t key_of(std::uint64_t window) const {
    std::uint32_t key = 0;
    for (std::uint32_t i = 0; i < run_count_; ++i)
      key |= static_cast<std::uint32_t>(window >> runs_[i].shift) & runs_[i].mask;
    return key;
  }

 private:
  Run runs_[most_bases] = {};
  std::uint32_t run_count_ = 0;
  std::uint64_t window_bits_ = 0;
};

/// What a search by keys costs, in seconds, and what it is compared with.
struct KeyCosts {
  double lookup;  ///< to look up a key
  double place;   ///< to compare a place whose key is in a table
  double key;     ///< of a core, to put a key into a table
  /// Bytes of a key in a table that is being made, at most.
  std::uint64_t key_bytes;
  /// What a symbol and strand of a pattern costs elsewhere.
  double (*others)(std::span<const BaseSet> pattern, std::uint32_t mismatches);
};

/// How the patterns of a batch are looked up. Keys are made of the last `window` positions of a
/// pattern. The `strict` positions at its end, which must match, are in each key. The others are
/// cut into `blocks`, and each choice of all blocks but `left_out` of them makes a shape: wherever
/// a pattern has no more mismatches than that, one of its keys is in the text.
struct KeyLayout {
  static constexpr std::uint32_t most_window = 32;
  static constexpr std::uint32_t most_blocks = 12;
  static constexpr std::uint32_t most_shapes = 84;
  /// Sequences that the window of a pattern may stand for, with IUPAC codes.
  static constexpr std::uint32_t most_variants = 64;
  static constexpr std::uint64_t table_bytes = 512;  ///< of a table with few keys

  std::uint32_t window = 0;
  std::uint32_t strict = 0;
  std::uint32_t blocks = 0;
  std::uint32_t left_out = 0;  ///< the mismatches; 0 if all positions of the window are strict
  std::uint32_t mismatches = 0;
  std::uint64_t bytes = 0;  ///< of the tables, at most, also while they are made
  double symbol_cost = 0;   ///< seconds per symbol of a text, for all patterns
  double pattern_cost = 0;  ///< seconds of a core to make the tables

  /// Whether a pattern can be looked up.
  bool fits(std::span<const BaseSet> pattern) const;
  /// The patterns that cannot; the others are empty.
  SetPatternBuffer unfit(const SetPatterns& patterns) const;
  /// The shapes of one strand, each as in KeyShape(); in the same order for both.
  std::vector<std::uint32_t> shapes(bool reverse) const;
};

/// The layout that costs least per symbol, with what patterns that do not fit cost elsewhere; none
/// if no pattern fits any in `most_bytes`.
std::optional<KeyLayout> choose_key_layout(const SetPatterns& patterns,
                                           const MismatchRequest& request, const KeyCosts& costs,
                                           std::uint64_t most_bytes = unlimited);

/// The end of the group of patterns from `first` on that keeps to the limits, and whose tables
/// keep to `most_bytes`; one pattern may exceed them.
std::size_t end_of_key_group(const SetPatterns& patterns, std::size_t first,
                             const MismatchRequest& request, const GroupLimits& limits,
                             const KeyCosts& costs, std::uint64_t most_bytes);

}  // namespace gsx

// Which positions of patterns make the keys that they are looked up by.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scan/mismatches.hpp"

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

  std::span<const Run> runs() const { return runs_; }
  /// The positions as bits 62 - 2i.
  std::uint64_t window_bits() const { return window_bits_; }
  std::uint32_t key_of(std::uint64_t window) const {
    std::uint32_t key = 0;
    for (const Run& run : runs_)
      key |= static_cast<std::uint32_t>(window >> run.shift) & run.mask;
    return key;
  }

 private:
  std::vector<Run> runs_;
  std::uint64_t window_bits_ = 0;
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
  /// Bytes of a key in a table that is being made: 14 in the table, and 8 to sort it by.
  static constexpr std::uint64_t key_bytes = 24;
  static constexpr std::uint64_t table_bytes = 512;  ///< of a table with few keys

  std::uint32_t window = 0;
  std::uint32_t strict = 0;
  std::uint32_t blocks = 0;
  std::uint32_t left_out = 0;  ///< the mismatches; 0 if all positions of the window are strict
  std::uint32_t mismatches = 0;
  std::uint64_t bytes = 0;  ///< of the tables, at most, also while they are made
  double symbol_cost = 0;   ///< seconds of a core per symbol of a text, for the patterns that fit
  double pattern_cost = 0;  ///< seconds of a core to make the tables

  /// Whether a pattern can be looked up.
  bool fits(std::span<const BaseSet> pattern) const;
  /// The shapes of one strand, each as in KeyShape(); in the same order for both.
  std::vector<std::uint32_t> shapes(bool reverse) const;
};

/// The layout that costs least, if `others` is what a symbol and strand of a pattern that does not
/// fit costs elsewhere, as a function of it; none if no pattern fits any in `most_bytes`.
std::optional<KeyLayout> choose_key_layout(const SetPatterns& patterns,
                                           const MismatchRequest& request,
                                           double (*others)(std::span<const BaseSet> pattern,
                                                            std::uint32_t mismatches),
                                           std::uint64_t most_bytes = unlimited);

}  // namespace gsx

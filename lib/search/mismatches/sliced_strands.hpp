// Patterns as masks of positions, in pairs of strands: what a scan on a GPU reads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/mismatches/mismatches.hpp"
#include "search/mismatches/place_window.hpp"
#include "search/mismatches/set_patterns.hpp"

namespace gsx {

/// One strand of a pattern; without a length, it stands for none.
struct SlicedStrand {
  std::uint64_t length = 0;
  std::uint64_t strict = 0;   ///< bit i: position i must match
  std::uint64_t rest = 0;     ///< where the sets beyond PlaceWindow::reach begin
  std::uint32_t masks = 0;    ///< where the masks begin
  std::uint32_t pattern = 0;  ///< its number
  std::uint32_t positions = 0;
  std::uint32_t check_from = 0;  ///< both strands of a pair have the same, and as many positions
  std::uint32_t reverse = 0;
  std::uint32_t padding = 0;
};

/// Pairs of strands whose masks are read together: those of pairs [first, last) are
/// [masks_begin, masks_end).
struct SlicedTile {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t masks_begin;
  std::uint32_t masks_end;
};

/// The strands of some patterns. Patterns that cannot be asked have none. Memory: 16 bytes per
/// position and strand, and 48 per strand.
class SlicedStrands {
 public:
  /// Masks that a tile may have.
  static constexpr std::uint32_t tile_masks = 1024;

  SlicedStrands(const SetPatterns& patterns, const MismatchRequest& request);

  /// Strands 2 i and 2 i + 1 are a pair.
  std::span<const SlicedStrand> strands() const { return strands_; }
  std::span<const SlicedTile> tiles() const { return tiles_; }
  std::span<const PositionMasks> masks() const { return masks_; }
  std::span<const BaseSet> rest() const { return rest_; }

 private:
  void add(std::uint32_t pattern, std::span<const BaseSet> sets, bool reverse);
  void add_to_tile(std::uint32_t pair);

  std::uint32_t most_;
  std::vector<SlicedStrand> strands_;
  std::vector<SlicedTile> tiles_;
  std::vector<PositionMasks> masks_;
  std::vector<BaseSet> rest_;
};

}  // namespace gsx

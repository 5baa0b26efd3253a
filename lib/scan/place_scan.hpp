// Finds the places of one pattern by comparing it with every position of the text, in order.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/cpu_path.hpp"
#include "scan/mismatches.hpp"
#include "scan/strand_masks.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Reads the text once and gives the places of a pattern sorted, so that they need not be held,
/// however many there are: for patterns that cannot be looked up, and for those of repeats.
class PlaceScan {
 public:
  /// The strands that are not null are searched; they must outlive the scan.
  PlaceScan(const TextView& text, const StrandMasks* forward, const StrandMasks* reverse,
            std::uint32_t mismatches, CpuPath path)
      : text_(text), strands_{forward, reverse}, most_(mismatches), path_(path) {}

  /// Replaces `hits` by the places of the next stretch of the text; false if there is none. There
  /// may be no hits, and no more than `most_hits`.
  bool next(std::vector<Hit>& hits);
  static constexpr std::uint64_t most_hits = std::uint64_t{1} << 14;

 private:
  TextView text_;
  const StrandMasks* strands_[2];
  std::uint32_t most_;
  CpuPath path_;
  std::uint64_t segment_ = 0;
  std::uint64_t position_ = 0;  ///< the next to compare
};

}  // namespace gsx

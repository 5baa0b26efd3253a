#include "scan/place_scan.hpp"

#include <algorithm>

namespace gsx {
namespace {

/// Appends the places in [begin, end).
GSX_HD void scan_positions(const TextView& text, const StrandMasks* const* strands,
                           std::uint32_t most, std::uint64_t begin, std::uint64_t end,
                           std::vector<Hit>& hits) {
  const StrandMasks none{nullptr, 0, false};
  const StrandMasks forward = strands[0] != nullptr ? *strands[0] : none;
  const StrandMasks reverse = strands[1] != nullptr ? *strands[1] : none;
  for (std::uint64_t p = begin; p < end; ++p) {
    if (forward.length > 0) {
      const std::uint32_t found = forward.mismatches_at(text.symbols, p, most);
      if (found <= most) hits.emplace_back(p, false, found);
    }
    if (reverse.length > 0) {
      const std::uint32_t found = reverse.mismatches_at(text.symbols, p, most);
      if (found <= most) hits.emplace_back(p, true, found);
    }
  }
}

GSX_TARGET_AVX2 void scan_avx2(const TextView& text, const StrandMasks* const* strands,
                               std::uint32_t most, std::uint64_t begin, std::uint64_t end,
                               std::vector<Hit>& hits) {
  scan_positions(text, strands, most, begin, end, hits);
}

}  // namespace

bool PlaceScan::next(std::vector<Hit>& hits) {
  hits.clear();
  const std::uint64_t length = (strands_[0] != nullptr ? strands_[0] : strands_[1])->length;
  const SegmentsView& segments = text_.segments;
  for (; segment_ < segments.count; ++segment_) {
    const std::uint64_t separator = segments.starts[segment_ + 1] - 1;
    position_ = std::max(position_, segments.starts[segment_]);
    if (position_ + length > separator) continue;
    const std::uint64_t last = separator - length + 1;
    const std::uint64_t end = std::min(last, position_ + most_hits / 2);
    if (path_ == CpuPath::avx2) {
      scan_avx2(text_, strands_, most_, position_, end, hits);
    } else {
      scan_positions(text_, strands_, most_, position_, end, hits);
    }
    position_ = end;
    return true;
  }
  return false;
}

}  // namespace gsx

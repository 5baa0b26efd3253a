// Joins zoom records to those of longer bins.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/buffer.hpp"
#include "output/tracks/zoom_records.hpp"

namespace gsx {

/// Joins the records of each bin of a resolution that may be coarser than that they come with, on
/// several threads. Each bin is made by one thread, in order, so that its sums do not depend on
/// their number. Memory: that of as many records as are added at a time.
class BinJoiner {
 public:
  BinJoiner(std::uint32_t shift, int threads) : shift_(shift), threads_(threads) {}

  /// Returns the bins that are complete now. Records must come in order. What it returns stays
  /// until the next call. Throws ResourceError.
  std::span<const ZoomRecord> add(std::span<const ZoomRecord> zooms);
  /// Returns the last bin, if there is one.
  std::span<const ZoomRecord> finish();

 private:
  /// The last shift is that of no level, and as large as positions have bits.
  std::uint64_t bin_of(const ZoomRecord& zoom) const { return std::uint64_t{zoom.begin} >> shift_; }
  bool is_same_bin(const ZoomRecord& a, const ZoomRecord& b) const {
    return a.id == b.id && bin_of(a) == bin_of(b);
  }
  void join(std::span<const ZoomRecord> zooms, std::uint64_t begin, std::uint64_t end,
            std::uint64_t bin);

  std::uint32_t shift_;
  int threads_;
  std::optional<ZoomRecord> open_;  ///< the bin that the next records may belong to
  Buffer<ZoomRecord> bins_;
};

}  // namespace gsx

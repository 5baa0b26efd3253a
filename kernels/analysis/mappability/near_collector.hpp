// Counts k-mers with mismatches while the suffixes of a text are sorted.
#pragma once

#include <cstdint>

#include "index/lcp/kmer_frequencies.hpp"
#include "kernels/analysis/mappability/near_counts.hpp"
#include "kernels/analysis/mappability/near_pairs.hpp"
#include "kernels/index/sa/suffix_sorter.hpp"

namespace gsx::cuda {

/// The twin of NearKmerBuilder. Rows that agree on a seed stand together, in one batch of the
/// sorter, so all pairs of places are found while that is on the device, and no row leaves it.
/// Memory: bytes() for the counts, and bytes_per_row_of_batch where half of the rows share a seed
/// with others; 36 at most. Cost: two sorts of the rows that share a seed, and that of NearPairs.
template <class Pos>
class NearCollector final : public RowConsumer<Pos> {
 public:
  /// Whether these can be counted: the text is DNA, rows that share a seed are in one batch, and
  /// what neighbours share is compared in a moment.
  static bool can_count(const TextView& text, const NearKmers& near);
  /// Pre: can_count(), and as NearKmerMeasure (device/measures.hpp). Throws ResourceError,
  /// DeviceError.
  NearCollector(const BothStrandsView& d_text, const NearKmers& near,
                std::span<const std::uint16_t> exact, Transfer& transfer, DeviceStream stream);

  void take(const FinishedRows<Pos>& rows) override;
  void wait(std::uint64_t) override {}

  /// Frequencies with mismatches. Pre: all rows have been taken. Waits. Call it once.
  Buffer<std::uint16_t> result(Transfer& transfer);

  /// Device bytes of the counts.
  static std::uint64_t bytes(std::uint64_t half) { return DeviceNearCounts::bytes(half); }
  static constexpr std::uint32_t bytes_per_row_of_batch = 22;

 private:
  BothStrandsView text_;
  NearWindows windows_;
  DeviceStream stream_;
  DeviceNearCounts counts_;
  NearPairs pairs_;
};

}  // namespace gsx::cuda

// Counts the k-mers of a text while its suffixes are sorted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "index/lcp/kmer_frequencies.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/transfer.hpp"
#include "kernels/index/sa/suffix_sorter.hpp"
#include "text/both_strands.hpp"

namespace gsx::cuda {

/// Rows whose suffixes agree on k symbols stand together, in one batch of the sorter; their number
/// is that of the occurrences of their k-mer. A k-mer that is its own reverse complement stands
/// there twice for each place on both strands, and is counted once. So no row leaves the device.
/// Memory: bytes() for the result, and bytes_per_row_of_batch for each row of a batch. Cost: two
/// random lines of text per row, and one of the result for each row whose k-mer repeats.
template <class Pos>
class KmerCollector final : public RowConsumer<Pos> {
 public:
  /// Whether k-mers of all these lengths can be counted: those of a k-mer are in one batch, and
  /// what neighbours share is compared in a moment.
  static bool can_count(const TextView& text, std::span<const std::uint64_t> lengths);
  /// Counts at positions [0, half) of the text. Pre: can_count().
  KmerCollector(const TextView& d_text, std::uint64_t half, std::span<const std::uint64_t> lengths,
                DeviceStream stream);

  void take(const FinishedRows<Pos>& rows) override;
  void wait(std::uint64_t) override {}

  /// The counts, in the order of the lengths. Nothing where more k-mers are very frequent than
  /// codes of 16 bits have room for. Pre: all rows have been taken. Waits.
  std::optional<std::vector<KmerFrequencies>> result(Transfer& transfer);

  /// Device bytes of the result, and of what counting takes.
  static std::uint64_t bytes(std::uint64_t half, std::size_t lengths) {
    return (2 * half + most_large * sizeof(std::uint64_t)) * lengths;
  }
  static constexpr std::uint32_t bytes_per_row_of_batch = 10;

 private:
  static constexpr std::uint32_t most_large = (1u << 16) - KmerFrequencies::first_large;

  struct Counted {
    std::uint64_t k;
    DeviceBuffer<std::uint16_t> codes;
    DeviceBuffer<std::uint64_t> large;  ///< [most_large], in any order
    DeviceBuffer<std::uint32_t> size;   ///< of `large`, and of what had no room
  };

  void count(const FinishedRows<Pos>& rows, const std::uint16_t* d_lcps, Counted& counted);
  KmerFrequencies to_host(Counted& counted, std::uint32_t large, Transfer& transfer);

  BothStrandsView text_;
  DeviceStream stream_;
  std::vector<Counted> counted_;
};

}  // namespace gsx::cuda

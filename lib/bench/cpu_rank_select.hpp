// Batches of access, rank and select on the CPU.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "arrays/rank/select_hints.hpp"
#include "base/cpu_path.hpp"
#include "bench/device_bench.hpp"
#include "search/exact/huge_page_fm.hpp"

namespace gsx {

/// Rates for the sequences of measured_sequences, of `size` elements, fewer than 2^32. Throws
/// ResourceError.
std::vector<QueryRate> measure_cpu_wavelet(std::uint64_t size, int threads, CpuPath path);

class CpuRankSelect final : public RankSelectQueries {
 public:
  /// Keeps views of the arrays of `fm`. The first select computes hints on `threads` threads.
  CpuRankSelect(const FmView& fm, CpuPath path, int threads)
      : fm_(fm), path_(path), threads_(threads) {}

  void access(std::span<const std::uint64_t> rows, std::uint8_t* codes) const override;
  void rank(std::span<const std::uint8_t> codes, const std::uint64_t* rows,
            std::uint64_t* ranks) const override;
  void select(std::span<const std::uint8_t> codes, const std::uint64_t* ranks,
              std::uint64_t* rows) const override;

 private:
  WaveletMatrixView with_hints(const WaveletMatrixView& bwt) const;

  HugePageFm fm_;
  CpuPath path_;
  int threads_;
  mutable std::once_flag hints_asked_;
  mutable SelectHints hints_;
};

}  // namespace gsx

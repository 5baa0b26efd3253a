// Batches of access, rank and select on the CPU.
#pragma once

#include <mutex>

#include "arrays/rank/select_hints.hpp"
#include "base/cpu_path.hpp"
#include "bench/device_bench.hpp"
#include "search/exact/huge_page_fm.hpp"

namespace gsx {

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

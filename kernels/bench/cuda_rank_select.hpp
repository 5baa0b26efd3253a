// Batches of access, rank and select from host memory, through the device and back.
#pragma once

#include <memory>
#include <optional>

#include "bench/device_bench.hpp"
#include "kernels/arrays/rank/device_wavelet_matrix.hpp"
#include "kernels/base/search_lane.hpp"

namespace gsx::cuda {

/// A batch is cut into pieces that cross the bus through pinned memory. Each calling thread has a
/// stream of its own, so that the copies of some overlap with the queries of others (paper: GPU
/// wavelet tree, section 5.2.1).
class CudaRankSelect final : public RankSelectQueries {
 public:
  /// Copies the BWT to the device. Throws ResourceError, DeviceError.
  CudaRankSelect(const WaveletMatrixView& bwt, std::shared_ptr<MemoryPool> pool,
                 Transfer& transfer);
  ~CudaRankSelect() override;

  void access(std::span<const std::uint64_t> rows, std::uint8_t* codes) const override;
  void rank(std::span<const std::uint8_t> codes, const std::uint64_t* rows,
            std::uint64_t* ranks) const override;
  void select(std::span<const std::uint8_t> codes, const std::uint64_t* ranks,
              std::uint64_t* rows) const override;

 private:
  template <class Launch>
  void query(const Launch& launch, std::span<const std::uint8_t> codes,
             const std::uint64_t* numbers, std::uint64_t* results) const;
  template <class Work>
  void for_each_piece(std::uint64_t size, const Work& work) const;

  std::shared_ptr<MemoryPool> pool_;
  mutable std::optional<SearchLanes> lanes_;
  std::optional<DeviceWaveletMatrix> bwt_;
};

}  // namespace gsx::cuda

// Batches of access, rank and select from host memory, through the device and back.
#pragma once

#include "bench/device_bench.hpp"
#include "kernels/rank/device_wavelet_matrix.hpp"
#include "kernels/search/search_lane.hpp"

namespace gsx::cuda {

/// A batch is cut into pieces that cross the bus through pinned memory. Each calling thread has a
/// stream of its own, so that the copies of some overlap with the queries of others (paper: GPU
/// wavelet tree, section 5.2.1).
class CudaRankSelect final : public RankSelectQueries {
 public:
  /// Copies the BWT to the current device. Throws ResourceError, DeviceError.
  CudaRankSelect(const WaveletMatrixView& bwt, Transfer& transfer, cudaStream_t stream)
      : device_(transfer.device()), bwt_(bwt, transfer, stream) {}

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

  int device_;
  DeviceWaveletMatrix bwt_;
  mutable SearchLanes lanes_;
};

}  // namespace gsx::cuda

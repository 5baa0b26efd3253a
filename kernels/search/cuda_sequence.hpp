// Batches of access, rank and select from host memory, through the device and back.
#pragma once

#include "backend/backend.hpp"
#include "kernels/search/search_lane.hpp"
#include "rank/wavelet_view.hpp"

namespace gsx::cuda {

/// A batch is cut into pieces that cross the bus through pinned memory. Each calling thread has a
/// stream of its own, so that the copies of some overlap with the queries of others (paper: GPU
/// wavelet tree, section 5.2.1).
class CudaSequence final : public SequenceQueries {
 public:
  /// Keeps `d_bwt` and `lanes`, which must outlive it.
  CudaSequence(const WaveletView& d_bwt, int device, SearchLanes& lanes)
      : bwt_(d_bwt), device_(device), lanes_(lanes) {}

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

  WaveletView bwt_;
  int device_;
  SearchLanes& lanes_;
};

}  // namespace gsx::cuda

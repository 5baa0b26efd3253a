// Levels of a wavelet sequence that pass through the device piece by piece.
#pragma once

#include <cstdint>
#include <vector>

#include "arrays/wavelet/level_maker.hpp"
#include "kernels/base/search_lane.hpp"

namespace gsx::cuda {

/// Makes levels of any size in little device memory. Cost: per level, the codes cross the bus twice
/// and rank blocks once; pieces cross it while others are on the device. Memory on the host: twice
/// the codes.
class PiecewiseLevels final : public LevelMaker {
 public:
  /// Pre: the pool's GPU is current while this is used; the pool outlives it.
  PiecewiseLevels(MemoryPool& pool, int threads) : pool_(pool), lanes_(pool), threads_(threads) {}

  /// Throw ResourceError if there is no memory for a superblock of 24,576 codes, DeviceError.
  std::vector<QuadVector> make(Buffer<std::uint8_t> codes, const LevelSizes& sizes) override;
  std::vector<QuadVector> make(Buffer<std::uint16_t> codes, const LevelSizes& sizes) override;
  std::vector<QuadVector> make(Buffer<std::uint32_t> codes, const LevelSizes& sizes) override;

 private:
  template <class Code>
  std::vector<QuadVector> make_levels(Buffer<Code> codes, const LevelSizes& sizes);
  /// A level of the first `size` codes, whose digits occur `totals` times; sorts them to `sorted`
  /// if it is not null.
  template <class Code>
  QuadVector make_level(const Code* codes, std::uint64_t size, std::uint32_t shift,
                        const std::array<std::uint64_t, 4>& totals, Code* sorted);

  MemoryPool& pool_;
  SearchLanes lanes_;
  int threads_;
};

}  // namespace gsx::cuda

// A set of positions with ranks.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// 224 bits and how many are set before them, in the 32 bytes a GPU moves at once.
struct alignas(32) RankBitBlock {
  static constexpr std::uint32_t bits = 224;
  std::uint32_t before;
  std::uint32_t words[bits / 32];
};
static_assert(sizeof(RankBitBlock) == 32);

/// Bits [0, size), fewer than 2^32 of them set. Price: 1.14 bits per position.
struct RankBitVector {
  const RankBitBlock* blocks = nullptr;
  std::uint64_t size = 0;

  static std::uint64_t blocks_of(std::uint64_t size) { return size / RankBitBlock::bits + 1; }

  GSX_HD bool test(std::uint64_t p) const {
    const auto in_block = static_cast<std::uint32_t>(p % RankBitBlock::bits);
    return (blocks[p / RankBitBlock::bits].words[in_block / 32] >> (in_block % 32) & 1) != 0;
  }
  /// Set bits in [0, p). Pre: p <= size. Cost: one sector.
  GSX_HD std::uint32_t rank(std::uint64_t p) const {
    const RankBitBlock& block = blocks[p / RankBitBlock::bits];
    const auto in_block = static_cast<std::uint32_t>(p % RankBitBlock::bits);
    std::uint32_t count = block.before;
    for (std::uint32_t k = 0; k < RankBitBlock::bits / 32; ++k) {
      const std::uint32_t taken = in_block <= 32 * k ? 0 : in_block - 32 * k;
      count += popcount32(block.words[k] & low_mask32(taken));
    }
    return count;
  }
};
static_assert(std::is_trivially_copyable_v<RankBitVector>);

/// Sets each block's `before`, once all words are written; returns how many bits are set.
/// Waits for the stream. Throws ResourceError when that is 2^32 or more, DeviceError.
std::uint64_t count_ranks(DeviceBuffer<RankBitBlock>& blocks, DeviceStream stream);

}  // namespace gsx::cuda

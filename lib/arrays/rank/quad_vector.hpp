// Owner and builder of a QuadView.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "arrays/rank/quad_view.hpp"
#include "base/buffer.hpp"
#include "base/export.hpp"
#include "base/packed.hpp"

namespace gsx {

/// One level: digits and the counts that rank needs.
class GSX_API QuadVector {
 public:
  /// digits_at(begin, end, out) writes a digit or `hole` for each position of [begin, end) to out[0
  /// ..]. Several threads call it; it is asked for each position once, in increasing order within a
  /// superblock.
  static constexpr std::uint8_t hole = 0xFF;
  using DigitsAt = std::function<void(std::uint64_t begin, std::uint64_t end, std::uint8_t* out)>;

  QuadVector() = default;
  /// Cost: one pass. Throws ResourceError.
  QuadVector(std::uint64_t size, const DigitsAt& digits_at, int threads);
  /// Takes parts that were built elsewhere: blocks, with counts from the start of their superblock;
  /// for each superblock, how many of each digit it holds (with one more entry, for the totals);
  /// the positions of the holes.
  QuadVector(std::uint64_t size, Buffer<QuadBlock> blocks, Buffer<QuadSuperblock> counts,
             std::span<const std::uint64_t> holes);

  QuadView view() const {
    return {blocks_.data(), superblocks_.data(), holes_.view(), size_, base_sum_};
  }
  const Buffer<QuadBlock>& blocks() const { return blocks_; }
  const Buffer<QuadSuperblock>& superblocks() const { return superblocks_; }
  const PackedArray& holes() const { return holes_; }

  static std::uint64_t block_count(std::uint64_t size) { return size / QuadBlock::digits + 1; }
  /// One per superblock, also for the last incomplete one, and one for the totals.
  static std::uint64_t superblock_count(std::uint64_t size) {
    return (block_count(size) + QuadSuperblock::blocks - 1) / QuadSuperblock::blocks + 1;
  }

 private:
  /// Replaces each superblock's own counts by the counts before it, bases included.
  void accumulate();

  Buffer<QuadBlock> blocks_;
  Buffer<QuadSuperblock> superblocks_;
  PackedArray holes_;
  std::uint64_t size_ = 0;
  std::uint64_t base_sum_ = 0;
};

}  // namespace gsx

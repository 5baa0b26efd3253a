// Owner and builder of a QuadView.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/buffer.hpp"
#include "base/packed.hpp"
#include "rank/quad_view.hpp"

namespace gsx {

/// One level of digits with its counts.
class QuadVector {
 public:
  /// Digits are asked for once each, in increasing order within a superblock, by several threads:
  /// digits_at(begin, end, out) writes out[0 .. end - begin), a digit or `hole`.
  static constexpr std::uint8_t hole = 0xFF;
  using DigitsAt = std::function<void(std::uint64_t begin, std::uint64_t end, std::uint8_t* out)>;

  QuadVector() = default;
  /// Cost: one pass. Throws ResourceError.
  QuadVector(std::uint64_t size, const DigitsAt& digits_at, int threads);
  /// Of parts built elsewhere: blocks with counts from their superblocks' starts; for each
  /// superblock how many of each digit it holds (one entry more is allocated, for the totals); and
  /// the holes' positions.
  QuadVector(std::uint64_t size, Buffer<QuadBlock> blocks, Buffer<QuadSuperblock> counts,
             std::span<const std::uint64_t> holes);

  QuadView view() const {
    return {blocks_.data(), superblocks_.data(), holes_.view(), size_, base_sum_};
  }
  const Buffer<QuadBlock>& blocks() const { return blocks_; }
  const Buffer<QuadSuperblock>& superblocks() const { return superblocks_; }
  const PackedArray& holes() const { return holes_; }

  static std::uint64_t block_count(std::uint64_t size) { return size / QuadBlock::digits + 1; }
  /// One a started superblock of blocks, and one for the totals.
  static std::uint64_t superblock_count(std::uint64_t size) {
    return (block_count(size) + QuadSuperblock::blocks - 1) / QuadSuperblock::blocks + 1;
  }

 private:
  /// Replaces each superblock's own counts by those before it.
  void accumulate();

  Buffer<QuadBlock> blocks_;
  Buffer<QuadSuperblock> superblocks_;
  PackedArray holes_;
  std::uint64_t size_ = 0;
  std::uint64_t base_sum_ = 0;
};

}  // namespace gsx

#include "rank/quad_vector.hpp"

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Packs up to 96 digits into a block, counts them into `counts` and notes holes.
void fill_block(const std::uint8_t* digits, std::uint32_t count, std::uint64_t first,
                std::uint64_t (&counts)[4], QuadBlock& block, std::vector<std::uint64_t>& holes) {
  for (std::uint32_t d = 0; d < 4; ++d)
    block.counts[d] = static_cast<std::uint16_t>(counts[d]);
  std::uint32_t hole_count = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    std::uint32_t low = 0, high = 0;
    const std::uint32_t start = k * QuadBlock::digits_per_plane;
    const std::uint32_t stop = std::min(count, start + QuadBlock::digits_per_plane);
    for (std::uint32_t i = start; i < stop; ++i) {
      std::uint32_t digit = digits[i];
      if (digit == QuadVector::hole) {
        ++hole_count;
        holes.push_back(first + i);
        digit = 0;
      }
      low |= (digit & 1) << (i - start);
      high |= (digit >> 1) << (i - start);
    }
    block.planes[k] = std::uint64_t{high} << 32 | low;
  }
  if (hole_count > 0) block.counts[0] |= QuadBlock::hole_flag;
  for (std::uint32_t d = 1; d < 4; ++d)
    counts[d] += QuadView::count_in(block, d, count);
  counts[0] += QuadView::count_in(block, 0, count) - hole_count;
}

}  // namespace

QuadVector::QuadVector(std::uint64_t size, const DigitsAt& digits_at, int threads)
    : blocks_(block_count(size), "rank blocks"),
      superblocks_(superblock_count(size), "rank superblocks"),
      size_(size) {
  const std::uint64_t superblocks = superblocks_.size() - 1;
  std::vector<std::vector<std::uint64_t>> holes(superblocks);
  parallel_for(threads, superblocks, [&](std::uint64_t s, int) {
    const std::uint64_t begin = s * QuadSuperblock::digits;
    const std::uint64_t end = std::min(size, begin + QuadSuperblock::digits);
    std::vector<std::uint8_t> digits(QuadSuperblock::digits);
    digits_at(begin, end, digits.data());
    std::uint64_t counts[4] = {};
    const std::uint64_t last_block =
        std::min<std::uint64_t>(blocks_.size(), (s + 1) * QuadSuperblock::blocks);
    for (std::uint64_t b = s * QuadSuperblock::blocks; b < last_block; ++b) {
      const std::uint64_t first = b * QuadBlock::digits;
      const auto count = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(QuadBlock::digits, size - std::min(size, first)));
      fill_block(digits.data() + (first - begin), count, first, counts, blocks_[b], holes[s]);
    }
    std::copy_n(counts, 4, superblocks_[s].counts);
  });

  accumulate();
  std::uint64_t hole_count = 0;
  for (const auto& some : holes)
    hole_count += some.size();
  holes_ = PackedArray(hole_count, bits_for(size), "separators");
  PackedWriter writer = holes_.writer(0);
  for (const auto& some : holes) {
    for (const std::uint64_t position : some)
      writer.push(position);
  }
  writer.finish();
}

QuadVector::QuadVector(std::uint64_t size, Buffer<QuadBlock> blocks, Buffer<QuadSuperblock> counts,
                       std::span<const std::uint64_t> holes)
    : blocks_(std::move(blocks)),
      superblocks_(std::move(counts)),
      holes_(holes.size(), bits_for(size), "separators"),
      size_(size) {
  accumulate();
  PackedWriter writer = holes_.writer(0);
  for (const std::uint64_t position : holes)
    writer.push(position);
  writer.finish();
}

void QuadVector::accumulate() {
  const std::uint64_t superblocks = superblocks_.size() - 1;
  std::uint64_t next[4] = {};
  for (int d = 1; d < 4; ++d) {
    next[d] = next[d - 1];
    for (std::uint64_t s = 0; s < superblocks; ++s)
      next[d] += superblocks_[s].counts[d - 1];
  }
  base_sum_ = next[0] + next[1] + next[2] + next[3];
  for (std::uint64_t s = 0; s <= superblocks; ++s) {
    for (int d = 0; d < 4; ++d) {
      const std::uint64_t here = s < superblocks ? superblocks_[s].counts[d] : 0;
      superblocks_[s].counts[d] = next[d];
      next[d] += here;
    }
  }
}

}  // namespace gsx

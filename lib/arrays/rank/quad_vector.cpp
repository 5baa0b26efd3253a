#include "arrays/rank/quad_vector.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Collects bit `bit` of each of 8 bytes; that of the first byte becomes the lowest bit.
std::uint32_t gather_bits(std::uint64_t bytes, int bit) {
  const std::uint64_t bits = bytes >> bit & 0x0101010101010101u;
  return static_cast<std::uint32_t>(bits * 0x0102040810204080u >> 56);
}

/// Up to 32 digits as a plane, and the number of holes among them. Appends the holes to `holes`.
struct Plane {
  std::uint64_t bits;
  std::uint32_t holes;
};
Plane pack_plane(std::uint8_t* digits, std::uint32_t count, std::uint64_t first,
                 std::vector<std::uint64_t>& holes) {
  // There is room for 32 digits: clear what follows the last one.
  std::fill(digits + count, digits + QuadBlock::digits_per_plane, std::uint8_t{0});
  std::uint64_t words[QuadBlock::digits_per_plane / 8];
  std::memcpy(words, digits, sizeof words);
  Plane plane{0, 0};
  if (((words[0] | words[1] | words[2] | words[3]) & 0x8080808080808080u) != 0) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (digits[i] != QuadVector::hole) continue;
      ++plane.holes;
      holes.push_back(first + i);
      digits[i] = 0;
    }
    std::memcpy(words, digits, sizeof words);
  }
  for (std::uint32_t w = 0; w < 4; ++w) {
    plane.bits |= std::uint64_t{gather_bits(words[w], 0)} << 8 * w;
    plane.bits |= std::uint64_t{gather_bits(words[w], 1)} << (32 + 8 * w);
  }
  return plane;
}

/// Packs up to 96 digits into a block, adds them to `counts` and appends the holes to `holes`.
/// `digits` has room for 96.
void fill_block(std::uint8_t* digits, std::uint32_t count, std::uint64_t first,
                std::uint64_t (&counts)[4], QuadBlock& block, std::vector<std::uint64_t>& holes) {
  for (std::uint32_t d = 0; d < 4; ++d)
    block.counts[d] = static_cast<std::uint16_t>(counts[d]);
  std::uint32_t hole_count = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t start = k * QuadBlock::digits_per_plane;
    const std::uint32_t size =
        std::min(count, start + QuadBlock::digits_per_plane) - std::min(count, start);
    const Plane plane = pack_plane(digits + start, size, first + start, holes);
    block.planes[k] = plane.bits;
    hole_count += plane.holes;
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

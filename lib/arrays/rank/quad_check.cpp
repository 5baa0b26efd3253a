#include "arrays/rank/quad_check.hpp"

#include <algorithm>
#include <atomic>

#include "arrays/rank/quad_vector.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Number of holes before a position, found without using counts.
std::uint64_t count_holes(const PackedView& holes, std::uint64_t position) {
  std::uint64_t low = 0, high = holes.size;
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (holes[middle] < position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool counts_agree(const QuadBlock& block, const std::uint64_t (&counts)[4], bool has_holes) {
  const std::uint64_t flag = has_holes ? QuadBlock::hole_flag : 0;
  return block.counts[0] == (counts[0] | flag) && block.counts[1] == counts[1] &&
         block.counts[2] == counts[2] && block.counts[3] == counts[3];
}

bool superblock_is_right(const QuadView& level, std::uint64_t s) {
  std::uint64_t hole = count_holes(level.holes, s * QuadSuperblock::digits);
  std::uint64_t counts[4] = {};
  const std::uint64_t last_block =
      std::min(QuadVector::block_count(level.size), (s + 1) * QuadSuperblock::blocks);
  for (std::uint64_t b = s * QuadSuperblock::blocks; b < last_block; ++b) {
    const std::uint64_t first = b * QuadBlock::digits;
    const auto count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(QuadBlock::digits, level.size - first));
    const std::uint64_t first_hole = hole;
    for (; hole < level.holes.size && level.holes[hole] < first + count; ++hole) {
      if (level.digit(level.holes[hole]) != 0) return false;
    }
    const QuadBlock& block = level.blocks[b];
    if (!counts_agree(block, counts, hole != first_hole)) return false;
    std::uint32_t rest = count;
    for (std::uint32_t d = 1; d < 4; ++d) {
      const std::uint32_t found = QuadView::count_in(block, d, count);
      counts[d] += found;
      rest -= found;
    }
    counts[0] += rest - (hole - first_hole);
  }
  for (std::uint32_t d = 0; d < 4; ++d) {
    if (level.superblocks[s + 1].counts[d] - level.superblocks[s].counts[d] != counts[d]) {
      return false;
    }
  }
  return true;
}

/// The range of a digit must begin where that of the digit before it ends.
bool bases_are_right(const QuadView& level, std::uint64_t superblocks) {
  for (std::uint32_t d = 0; d < 4; ++d) {
    if (level.base(d) != (d == 0 ? 0 : level.superblocks[superblocks].counts[d - 1])) return false;
  }
  return true;
}

}  // namespace

std::optional<std::uint64_t> find_wrong_counts(const QuadView& level, int threads) {
  const std::uint64_t superblocks = QuadVector::superblock_count(level.size) - 1;
  std::atomic<std::uint64_t> wrong{superblocks};
  parallel_for(threads, superblocks, [&](std::uint64_t s, int) {
    if (s >= wrong || superblock_is_right(level, s)) return;
    std::uint64_t known = wrong;
    while (s < known && !wrong.compare_exchange_weak(known, s)) {
    }
  });
  if (wrong < superblocks) return wrong * QuadSuperblock::digits;
  if (!bases_are_right(level, superblocks)) return 0;
  return std::nullopt;
}

}  // namespace gsx

#include "kernels/arrays/wavelet/piecewise_levels.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/bits.hpp"
#include "kernels/arrays/wavelet/level_piece.hpp"
#include "kernels/arrays/wavelet/run_places.hpp"
#include "kernels/base/host_pieces.hpp"

namespace gsx::cuda {
namespace {

constexpr std::uint64_t unit_codes = QuadSuperblock::digits;
constexpr std::uint64_t unit_blocks = QuadSuperblock::blocks;

/// Where things of a piece are in the memory of a lane. What comes back is side by side, with no
/// hole that nobody wrote: blocks, counts, and sorted codes.
template <class Code>
struct PieceLayout {
  std::uint64_t units;
  std::uint64_t block_count;  ///< less than those of whole units in the last piece
  std::uint64_t size;         ///< codes, likewise

  static constexpr std::uint64_t codes_of_unit = unit_codes * sizeof(Code);
  static constexpr std::uint64_t back_of_unit =
      unit_blocks * sizeof(QuadBlock) + sizeof(QuadSuperblock) + codes_of_unit;
  static constexpr PieceUnit unit{codes_of_unit + back_of_unit + sizeof(QuadSuperblock),
                                  back_of_unit};

  std::uint64_t before() const { return units * codes_of_unit; }
  std::uint64_t blocks() const { return before() + units * sizeof(QuadSuperblock); }
  std::uint64_t counts() const { return blocks() + block_count * sizeof(QuadBlock); }
  std::uint64_t sorted() const { return counts() + units * sizeof(QuadSuperblock); }
  std::uint64_t back(bool with_sorted) const {
    return sorted() + (with_sorted ? size * sizeof(Code) : 0) - blocks();
  }
};

RunPlaces::Four sum_of(const QuadSuperblock* counts, std::uint64_t size) {
  RunPlaces::Four sum{};
  for (std::uint64_t s = 0; s < size; ++s)
    for (std::size_t d = 0; d < 4; ++d)
      sum[d] += counts[s].counts[d];
  return sum;
}

}  // namespace

template <class Code>
QuadVector PiecewiseLevels::make_level(const Code* codes, std::uint64_t size, std::uint32_t shift,
                                       const std::array<std::uint64_t, 4>& totals, Code* sorted) {
  const std::uint64_t all_blocks = QuadVector::block_count(size);
  const std::uint64_t units = divide_up(all_blocks, unit_blocks);
  Buffer<QuadBlock> blocks(all_blocks, "rank blocks");
  Buffer<QuadSuperblock> superblocks(QuadVector::superblock_count(size), "rank superblocks");
  RunPlaces places(totals);
  const auto make_piece = [&](SearchLane& lane, std::uint64_t begin, std::uint64_t count) {
    const std::uint64_t first = std::min(size, begin * unit_codes);
    const std::uint64_t some = std::min(size, (begin + count) * unit_codes) - first;
    const std::uint64_t first_block = begin * unit_blocks;
    const std::uint64_t block_count = std::min(all_blocks - first_block, count * unit_blocks);
    const PieceLayout<Code> layout{count, block_count, some};
    const bool sorts = sorted != nullptr;
    std::uint8_t* const d = lane.device();
    std::memcpy(lane.host(), codes + first, some * sizeof(Code));
    lane.send(some * sizeof(Code));
    make_piece_async(
        LevelPiece<Code>{reinterpret_cast<const Code*>(d),
                         reinterpret_cast<QuadBlock*>(d + layout.blocks()),
                         reinterpret_cast<QuadSuperblock*>(d + layout.counts()),
                         reinterpret_cast<QuadSuperblock*>(d + layout.before()),
                         reinterpret_cast<Code*>(d + layout.sorted()), some, block_count},
        shift, sorts, lane.stream());
    lane.fetch(d + layout.blocks(), layout.back(sorts));
    lane.wait();
    const auto back = [&](std::uint64_t offset) {
      return lane.host() + (offset - layout.blocks());
    };
    std::memcpy(blocks.data() + first_block, back(layout.blocks()),
                block_count * sizeof(QuadBlock));
    std::memcpy(superblocks.data() + begin, back(layout.counts()), count * sizeof(QuadSuperblock));
    if (!sorts) return;
    const auto counts = sum_of(superblocks.data() + begin, count);
    const auto to = places.take(begin, begin + count, counts);
    if (!to) return;
    const auto* run = reinterpret_cast<const Code*>(back(layout.sorted()));
    for (std::size_t digit = 0; digit < 4; ++digit) {
      std::memcpy(sorted + (*to)[digit], run, counts[digit] * sizeof(Code));
      run += counts[digit];
    }
  };
  for_host_pieces(pool_, lanes_, units, PieceLayout<Code>::unit, 0, threads_,
                  [&](SearchLane& lane, std::uint64_t begin, std::uint64_t count) {
                    try {
                      make_piece(lane, begin, count);
                    } catch (...) {
                      places.fail();
                      throw;
                    }
                  });
  return QuadVector(size, std::move(blocks), std::move(superblocks), {});
}

template <class Code>
std::vector<QuadVector> PiecewiseLevels::make_levels(Buffer<Code> codes, const LevelSizes& sizes) {
  const std::uint32_t count = sizes.count();
  Buffer<Code> sorted(count > 1 ? codes.size() : 0, "symbols of a wavelet sequence");
  std::vector<QuadVector> levels;
  for (std::uint32_t level = 0; level < count; ++level) {
    const bool last = level + 1 == count;
    levels.push_back(make_level(codes.data(), sizes.sizes[level], sizes.shift(level),
                                sizes.digits[level], last ? nullptr : sorted.data()));
    std::swap(codes, sorted);
  }
  return levels;
}

std::vector<QuadVector> PiecewiseLevels::make(Buffer<std::uint8_t> codes, const LevelSizes& sizes) {
  return make_levels(std::move(codes), sizes);
}
std::vector<QuadVector> PiecewiseLevels::make(Buffer<std::uint16_t> codes,
                                              const LevelSizes& sizes) {
  return make_levels(std::move(codes), sizes);
}
std::vector<QuadVector> PiecewiseLevels::make(Buffer<std::uint32_t> codes,
                                              const LevelSizes& sizes) {
  return make_levels(std::move(codes), sizes);
}

}  // namespace gsx::cuda

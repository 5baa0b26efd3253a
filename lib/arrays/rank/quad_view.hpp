// Rank, access and select over a sequence of four digits; a rank reads one 32-byte sector.
#pragma once

#include <cstdint>
#include <type_traits>

#include "arrays/rank/quad_block.hpp"
#include "base/host_device.hpp"
#include "base/packed.hpp"

namespace gsx {

/// A sequence of `size` digits in [0, 4). Some positions may be holes: they hold no digit, and no
/// rank counts them. (The separators of the BWT are holes. They are few, so a sorted list holds
/// them, and a flag marks the blocks that have some.)
struct QuadView {
  const QuadBlock* blocks = nullptr;            ///< [size / 96 + 1]
  const QuadSuperblock* superblocks = nullptr;  ///< [blocks / 256 + 1], and one more for the totals
  PackedView holes;                             ///< positions, ascending
  std::uint64_t size = 0;
  std::uint64_t base_sum = 0;  ///< sum of the four bases
  /// Block of every hint_spacing-th digit in sorted order. May be null: select then takes longer.
  const std::uint32_t* select_hints = nullptr;

  /// rank(d, i) plus base(d): the index to which a stable sort by digit moves position i, if it
  /// holds d. This is the LF mapping of the level. Pre: d < 4, 0 <= i <= size. Cost: one 32-byte
  /// sector; one sector of the superblocks (3 MB for 2.3 G digits, cached); for d = 0 in blocks
  /// with holes, a search among the holes.
  template <Reuse reuse = Reuse::likely, class Pos>
  GSX_HD Pos sorted_rank(std::uint32_t d, Pos i) const {
    const Pos b = i / QuadBlock::digits;
    const auto within = static_cast<std::uint32_t>(i - b * QuadBlock::digits);
    const QuadBlock block = load<reuse>(b);
    return rank_in(block, d, b, DigitMatches(block, d).count(within), i);
  }

  /// A position as a block and an offset in it.
  template <class Pos>
  struct BlockPosition {
    Pos block;
    std::uint32_t within;  ///< offset in the block, below 96
  };
  template <class Pos>
  GSX_HD static BlockPosition<Pos> block_position(Pos i) {
    const Pos block = i / QuadBlock::digits;
    return {block, static_cast<std::uint32_t>(i - block * QuadBlock::digits)};
  }
  /// Sets `begin` to the sorted_rank of the position at `at` and `end` to that of the position
  /// `width` after it. Pre: both positions are at most size. Cost: that of two calls; little more
  /// than one if both are in one block.
  template <class Pos>
  GSX_HD void sorted_ranks(std::uint32_t d, const BlockPosition<Pos>& at, Pos width, Pos& begin,
                           Pos& end) const {
    const Pos start = at.block * QuadBlock::digits;
    const QuadBlock block = load(at.block);
    const DigitMatches matches(block, d);
    const std::uint32_t count = matches.count(at.within);
    begin = rank_in(block, d, at.block, count, start + at.within);
    if (width > QuadBlock::digits - at.within) {
      end = sorted_rank(d, start + at.within + width);
      return;
    }
    const auto within = static_cast<std::uint32_t>(at.within + width);
    if (block.has_holes() & (d == 0)) [[unlikely]] {
      end = rank_in(block, d, at.block, matches.count(within), start + within);
    } else {
      end = begin + matches.count(within) - count;
    }
  }

  /// Replaces i by its sorted_rank for d; whether position i holds d. Pre: d < 4, i < size. Cost:
  /// that of one sorted_rank; no branch but for holes.
  template <class Pos>
  GSX_HD bool holds_and_rank(std::uint32_t d, Pos& i) const {
    const BlockPosition<Pos> at = block_position(i);
    const QuadBlock block = load(at.block);
    const DigitMatches matches(block, d);
    bool holds = matches.has(at.within);
    if (block.has_holes() & (d == 0)) [[unlikely]]
      holds = holds && !is_hole(i);
    i = rank_in(block, d, at.block, matches.count(at.within), i);
    return holds;
  }

  /// Number of smaller digits in the whole sequence: where the range of d begins in sorted order.
  GSX_HD std::uint64_t base(std::uint32_t d) const { return superblocks[0].counts[d]; }
  /// Number of digits d in [0, i). Pre and cost as for sorted_rank.
  GSX_HD std::uint64_t rank(std::uint32_t d, std::uint64_t i) const {
    return sorted_rank(d, i) - base(d);
  }

  /// Digit at position i; 0 for a hole. Pre: i < size. Cost: one sector.
  GSX_HD std::uint32_t digit(std::uint64_t i) const {
    const std::uint64_t b = i / QuadBlock::digits;
    const auto within = static_cast<std::uint32_t>(i - b * QuadBlock::digits);
    const std::uint64_t plane = blocks[b].planes[within / 32] >> (within % 32);
    return static_cast<std::uint32_t>((plane & 1) | (plane >> 31 & 2));
  }
  /// Returns the digit at position i and replaces i by its sorted_rank for that digit. Pre: i <
  /// size and i is not a hole. Cost: that of sorted_rank; both read the same sector.
  template <class Pos>
  GSX_HD std::uint32_t digit_and_rank(Pos& i) const {
    const BlockPosition<Pos> at = block_position(i);
    return digit_and_rank_in(load(at.block), at, i);
  }
  /// Sets `d` to the digit at any position i and replaces i by its sorted_rank, or changes neither
  /// and returns false if position i is a hole. Pre: i < size. Cost: that of sorted_rank; in blocks
  /// with holes, a search among the holes.
  template <class Pos>
  GSX_HD bool find_digit_and_rank(Pos& i, std::uint32_t& d) const {
    const BlockPosition<Pos> at = block_position(i);
    const QuadBlock block = load(at.block);
    if (block.has_holes()) [[unlikely]] {
      if (is_hole(i)) return false;
    }
    d = digit_and_rank_in(block, at, i);
    return true;
  }
  /// Whether position i is a hole. Pre: i < size. Cost: the sector of digit(i); in blocks with
  /// holes, a search among the holes.
  template <class Pos>
  GSX_HD bool is_hole(Pos i) const {
    if ((blocks[i / QuadBlock::digits].counts[0] & QuadBlock::hole_flag) == 0) return false;
    const std::uint64_t k = holes_before(i);
    return k < holes.size && holes[k] == i;
  }
  /// Number of holes in [0, i). Pre: i <= size. Cost: two or three sectors, and a binary search
  /// among the holes of one superblock.
  GSX_HD std::uint64_t holes_before(std::uint64_t i) const {
    const std::uint64_t superblock = i / QuadSuperblock::digits;
    std::uint64_t low = holes_before_superblock(superblock);
    std::uint64_t high = (superblock + 1) * QuadSuperblock::digits <= size
                             ? holes_before_superblock(superblock + 1)
                             : holes.size;
    if (high > holes.size) high = holes.size;  // the counts of a file may be wrong
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (holes[middle] < i) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Position of the digit d that has `k` digits d before it. Pre: k < rank(d, size). Cost: that of
  /// sorted_select.
  GSX_HD std::uint64_t select(std::uint32_t d, std::uint64_t k) const {
    return sorted_select(d, k + base(d));
  }
  /// The inverse of sorted_rank: position of the digit d whose sorted_rank is `target`. Pre: there
  /// is one. Cost: with hints, eight bytes of hints and mostly one line of 64 bytes (two where
  /// digits are unevenly spread); without, an interpolation search over superblocks, then over the
  /// blocks of one superblock.
  template <Reuse reuse = Reuse::likely>
  GSX_HD std::uint64_t sorted_select(std::uint32_t d, std::uint64_t target) const {
    Selection selection = begin_select(d, target);
    std::uint64_t position = 0;
    while (!try_select<reuse>(selection, position)) {
    }
    return position;
  }

  /// The state of a sorted_select, so that several can be in progress at once. The digit is in one
  /// of the blocks [first, last].
  struct Selection {
    std::uint64_t first;
    std::uint64_t last;
    std::uint64_t next;  ///< the block that try_select() reads
    std::uint64_t target;
    std::uint64_t first_count;  ///< sorted_rank at the start of block `first`, or a little more
    std::uint64_t end_count;    ///< sorted_rank at the end of block `last`, or a little less
    std::uint32_t digit;
    std::uint32_t probes;  ///< so far

    GSX_HD bool is_found() const { return first == last; }
  };
  GSX_HD Selection begin_select(std::uint32_t d, std::uint64_t target) const {
    const std::uint64_t last = size / QuadBlock::digits;
    const std::uint64_t last_superblock = last / QuadSuperblock::blocks;
    Selection selection{0, last, 0, target, base(d), superblocks[last_superblock + 1].counts[d],
                        d, 0};
    if (select_hints == nullptr) {
      narrow_to_superblock(selection, last_superblock);
    } else {
      narrow_to_hints(selection);
    }
    return selection;
  }
  /// Reads the block where the digit may be, and the one that shares its 64 bytes, which costs a
  /// memory nothing more. Sets `position` if the digit is in one of them, or narrows the range.
  /// Returns whether it was found, which it is at the latest when one block is left. Cost: 64
  /// bytes; for d = 0 in blocks with holes, a search among the holes.
  template <Reuse reuse = Reuse::likely>
  GSX_HD bool try_select(Selection& selection, std::uint64_t& position) const {
    const std::uint32_t d = selection.digit;
    const std::uint64_t pair = selection.next & ~std::uint64_t{1};
    const bool has_second = pair < size / QuadBlock::digits;
    const QuadBlock first = load<reuse>(pair);
    const QuadBlock second = load<reuse>(has_second ? pair + 1 : pair);
    const std::uint64_t before = superblocks[pair / QuadSuperblock::blocks].counts[d];
    const bool in_second = has_second && selection.target >= before + second.before(d);
    const QuadBlock block = in_second ? second : first;
    const std::uint64_t b = in_second ? pair + 1 : pair;
    const std::uint64_t count = before + block.before(d);
    const std::uint32_t in_block = digits_in(block, d, b);
    if (selection.is_found() || selection.target - count < in_block) {
      const auto left = static_cast<std::uint32_t>(selection.target - count);
      position = select_in_block(block, d, b, left);
      return true;
    }
    if (count > selection.target) {
      selection.last = pair > selection.first ? pair - 1 : selection.first;
      selection.end_count = count;
    } else {
      const std::uint64_t behind = b < selection.first ? selection.first : b;
      selection.first = behind < selection.last ? behind + 1 : selection.last;
      selection.first_count = count + in_block;
    }
    ++selection.probes;
    aim(selection, 0);
    return false;
  }

  /// A hint gives the block of every 512th digit in sorted order. More hints would not stay in a
  /// GPU's cache for a genome; fewer would leave several blocks to read.
  static constexpr std::uint64_t hint_spacing = 512;
  GSX_HD std::uint64_t hint_count() const { return size / hint_spacing + 2; }
  /// Computes hint `h` of a level without hints; the last block if no digit has that rank. Pre: h <
  /// hint_count(). Cost: that of sorted_select.
  GSX_HD std::uint32_t find_hint(std::uint64_t h) const {
    const std::uint64_t target = h * hint_spacing, last = size / QuadBlock::digits;
    if (target >= superblocks[last / QuadSuperblock::blocks + 1].counts[3])
      return static_cast<std::uint32_t>(last);
    std::uint32_t d = 3;
    while (d > 0 && base(d) > target)
      --d;
    return static_cast<std::uint32_t>(sorted_select(d, target) / QuadBlock::digits);
  }

  /// Number of digits d among the first `within` digits of a block; holes count as 0. Pre: within
  /// <= 96.
  GSX_HD static std::uint32_t count_in(const QuadBlock& block, std::uint32_t d,
                                       std::uint32_t within) {
    return DigitMatches(block, d).count(within);
  }

 private:
  template <Reuse reuse = Reuse::likely, class Pos>
  GSX_HD QuadBlock load(Pos b) const {
    return load_32_bytes<reuse>(blocks + b);
  }
  /// digit_and_rank of position i, which is `at` in `block`.
  template <class Pos>
  GSX_HD std::uint32_t digit_and_rank_in(const QuadBlock& block, const BlockPosition<Pos>& at,
                                         Pos& i) const {
    // Masks, because compilers make branches of conditions, and the CPU cannot foresee them.
    const std::uint64_t from_second = std::uint64_t{0} - (at.within >= 32);
    const std::uint64_t from_third = std::uint64_t{0} - (at.within >= 64);
    const std::uint64_t whole = block.planes[0] ^
                                ((block.planes[0] ^ block.planes[1]) & from_second) ^
                                ((block.planes[1] ^ block.planes[2]) & from_third);
    const std::uint64_t plane = whole >> (at.within % 32);
    const auto d = static_cast<std::uint32_t>((plane & 1) | (plane >> 31 & 2));
    i = rank_in(block, d, at.block, DigitMatches(block, d).count(at.within), i);
    return d;
  }
  /// sorted_rank of position i in `block`, which is block b. `count` is the number of digits d
  /// before i in the block; for d = 0 it includes holes.
  template <class Pos>
  GSX_HD Pos rank_in(const QuadBlock& block, std::uint32_t d, Pos b, std::uint32_t count,
                     Pos i) const {
    count += block.before(d);
    if (block.has_holes() & (d == 0)) [[unlikely]] {
      count -= static_cast<std::uint32_t>(holes_before(i) - holes_before_block(b));
    }
    return static_cast<Pos>(superblocks[b / QuadSuperblock::blocks].counts[d]) + count;
  }
  GSX_HD std::uint64_t holes_before_superblock(std::uint64_t superblock) const {
    const QuadSuperblock& s = superblocks[superblock];
    return superblock * QuadSuperblock::digits + base_sum - s.counts[0] - s.counts[1] -
           s.counts[2] - s.counts[3];
  }
  GSX_HD std::uint64_t holes_before_block(std::uint64_t b) const {
    const QuadBlock& block = blocks[b];
    std::uint64_t counted = 0;
    for (std::uint32_t d = 0; d < 4; ++d)
      counted += block.counts[d] & QuadBlock::count_mask;
    const std::uint64_t superblock = b / QuadSuperblock::blocks;
    return holes_before_superblock(superblock) + (b % QuadSuperblock::blocks) * QuadBlock::digits -
           counted;
  }
  /// Digits d in `block`, which is block b. In the last block, the padding counts as zeros.
  GSX_HD std::uint32_t digits_in(const QuadBlock& block, std::uint32_t d, std::uint64_t b) const {
    std::uint32_t count = DigitMatches(block, d).count(QuadBlock::digits);
    if (block.has_holes() & (d == 0)) [[unlikely]] {
      const std::uint64_t end = (b + 1) * QuadBlock::digits;
      count -=
          static_cast<std::uint32_t>(holes_before(end < size ? end : size) - holes_before_block(b));
    }
    return count;
  }

  /// Narrows to the last superblock with at most `target` digits before it.
  GSX_HD void narrow_to_superblock(Selection& selection, std::uint64_t last_superblock) const {
    const std::uint64_t last = selection.last;
    Selection found = selection;  // here first, last and next are superblocks
    found.last = last_superblock;
    for (aim(found, 0); !found.is_found(); aim(found, 0)) {
      const std::uint64_t middle = found.next > found.first ? found.next : found.first + 1;
      const std::uint64_t count = superblocks[middle].counts[found.digit];
      if (count <= found.target) {
        found.first = middle;
        found.first_count = count;
      } else {
        found.last = middle - 1;
        found.end_count = count;
      }
      ++found.probes;
    }
    selection.first = found.first * QuadSuperblock::blocks;
    const std::uint64_t end = selection.first + QuadSuperblock::blocks - 1;
    selection.last = end < last ? end : last;
    selection.first_count = found.first_count;
    selection.end_count = found.end_count;
    aim(selection, 0);
  }
  /// Narrows to the blocks between the hints around `target`.
  GSX_HD void narrow_to_hints(Selection& selection) const {
    const std::uint64_t target = selection.target < size ? selection.target : size;
    const std::uint64_t hint = target / hint_spacing;
    const std::uint64_t below = hint * hint_spacing, above = below + hint_spacing;
    if (below >= selection.first_count) {  // otherwise the hint points to a smaller digit
      selection.first = select_hints[hint];
      selection.first_count = below;
    }
    if (above < selection.end_count) {
      const std::uint64_t last = select_hints[hint + 1];
      selection.last = last < selection.first ? selection.first : last;
      selection.end_count = above;
    }
    aim(selection, 0.5f);  // the digit of a hint is in the middle of its block on average
  }
  /// Sets `next` to the block where the digit would be if digits d were evenly spread; in most
  /// sequences this finds it in one or two probes. Every fourth probe halves the range, so that no
  /// sequence takes more than four times log2 of it. The counts were taken `start` blocks after the
  /// start of the first block, and as far before the end of the last.
  GSX_HD static void aim(Selection& selection, float start) {
    const std::uint64_t places = selection.last - selection.first;
    const std::uint64_t left = selection.target - selection.first_count;
    const std::uint64_t all = selection.end_count - selection.first_count;
    std::uint64_t ahead = (places + 1) / 2;
    if (selection.probes % 4 != 3 && left < all) {
      const float share = static_cast<float>(left) / static_cast<float>(all);
      const float width = static_cast<float>(places + 1) - 2 * start;
      ahead = static_cast<std::uint64_t>(start + share * width);
    }
    selection.next = selection.first + (ahead < places ? ahead : places);
  }

  GSX_HD std::uint64_t select_in_block(const QuadBlock& block, std::uint32_t d, std::uint64_t b,
                                       std::uint32_t left) const {
    const DigitMatches found(block, d);
    const std::uint64_t start = b * QuadBlock::digits;
    if (d != 0 || !block.has_holes()) return start + found.select(left);
    for (std::uint32_t within = 0; within < QuadBlock::digits; ++within) {
      if (found.count(within) == found.count(within + 1) || is_hole(start + within)) continue;
      if (left == 0) return start + within;
      --left;
    }
    return size;
  }
};
static_assert(std::is_trivially_copyable_v<QuadView>);

}  // namespace gsx

// How walks take a step, one walk at a time.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/base_packing.hpp"
#include "index/fm/fm_view.hpp"
#include "index/fm/pattern_view.hpp"
#include "search/exact/search_state.hpp"

namespace gsx {

/// Digits from which the superblocks, half a megabyte, leave the caches next to a core too often:
/// then they are worth prefetching.
constexpr std::uint64_t far_superblocks = std::uint64_t{400} << 20;

/// The codes before code `end` of a strand, up to the nearest one that is not below sigma, and at
/// most as many as 64 bits hold.
template <std::uint32_t bits>
GSX_HD CodeRun code_run(const StrandCodes& strand, std::uint64_t end, std::uint32_t sigma) {
  CodeRun run{0, 0};
  while (run.count < 64 / bits && run.count < end) {
    const std::uint64_t code = strand[end - 1 - run.count];
    if (code >= sigma) break;
    run.codes |= code << (bits * run.count);
    ++run.count;
  }
  return run;
}

/// Prefetches what the next step of a walk reads.
template <class Pos, class Meter>
GSX_HD void prefetch_ranks(const QuadView& level, Pos begin, Pos end, Meter& meter) {
  const Pos first = begin / QuadBlock::digits, last = end / QuadBlock::digits;
  __builtin_prefetch(level.blocks + first);
  __builtin_prefetch(level.superblocks + first / QuadSuperblock::blocks);
  meter.fetch(level.blocks + first, sizeof(QuadBlock));
  if (first / 2 == last / 2) return;
  __builtin_prefetch(level.blocks + last);
  __builtin_prefetch(level.superblocks + last / QuadSuperblock::blocks);
  meter.fetch(level.blocks + last, sizeof(QuadBlock));
}

/// The steps of walks through DNA: one level, and codes of two bits.
template <class Pos, class Meter>
class BaseSteps {
 public:
  static constexpr std::uint32_t code_bits = 2;
  /// Walks of one row have a queue of their own.
  static constexpr bool has_rows = true;

  BaseSteps(const FmView& fm, Meter& meter) : fm_(fm), level_(fm.bwt.levels[0]), meter_(meter) {}

  GSX_HD static CodeRun codes_before(const StrandCodes& strand, std::uint64_t end, std::uint32_t) {
    if (end >= 32) {
      const std::uint8_t* first =
          strand.reverse ? strand.codes + (strand.length - end) : strand.codes + (end - 32);
      std::uint64_t words[4];
      std::memcpy(words, first, sizeof words);
      if (((words[0] | words[1] | words[2] | words[3]) & 0xFCFCFCFCFCFCFCFC) == 0) {
        const std::uint64_t bases = pack_32_bases(first);
        return {strand.reverse ? reverse_complement(bases, 32) : bases, 32};
      }
    }
    return code_run<2>(strand, end, 4);
  }
  GSX_HD void enter(const Walk<Pos>& walk) { prefetch_ranks(level_, walk.begin, walk.end, meter_); }

  /// Extends intervals of one row.
  GSX_HD void step_rows(Walks<Pos>& walks, Walks<Pos>& leaving) {
    const std::size_t count = walks.size;
    walks.size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Walk<Pos> walk = walks[i];
      const std::uint32_t code = walk.codes & 3;
      const bool holds = level_.holds_and_rank(code, walk.begin);
      walk.begin += static_cast<Pos>(fm_.c_offset[code]);
      walk.end = walk.begin + (holds ? 1 : 0);
      walk.codes >>= 2;
      walk.tag -= 1;
      const bool stays =
          holds & (walk.begin < fm_.rows()) & (walk.ready() != 0) & !fm_.sampling.keeps(walk.begin);
      const QuadBlock* block = level_.blocks + walk.begin / QuadBlock::digits;
      __builtin_prefetch(stays ? block : level_.blocks);
      prefetch_superblock(walk.begin, stays);
      if (metered && stays) meter_.fetch(block, sizeof(QuadBlock));
      walks.push(walk, stays);
      leaving.push(walk, !stays);
    }
  }
  /// Extends other intervals.
  GSX_HD void step_intervals(Walks<Pos>& walks, Walks<Pos>& leaving) {
    const std::size_t count = walks.size;
    walks.size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Walk<Pos> walk = walks[i];
      const std::uint32_t code = walk.codes & 3;
      const auto shift = static_cast<Pos>(fm_.c_offset[code]);
      walk.begin = level_.sorted_rank(code, walk.begin) + shift;
      walk.end = level_.sorted_rank(code, walk.end) + shift;
      walk.codes >>= 2;
      walk.tag -= 1;
      const bool stays = (walk.begin < walk.end) & (static_cast<Pos>(walk.end - walk.begin) > 1) &
                         (walk.end <= fm_.rows()) & (walk.ready() != 0);
      const Pos first = walk.begin / QuadBlock::digits, last = walk.end / QuadBlock::digits;
      __builtin_prefetch(level_.blocks + (stays ? first : 0));
      __builtin_prefetch(level_.blocks + (stays ? last : 0));
      prefetch_superblock(walk.begin, stays);
      prefetch_superblock(walk.end, stays);
      if (metered && stays) {
        meter_.fetch(level_.blocks + first, sizeof(QuadBlock));
        if (first / 2 != last / 2) meter_.fetch(level_.blocks + last, sizeof(QuadBlock));
      }
      walks.push(walk, stays);
      leaving.push(walk, !stays);
    }
  }

 private:
  static constexpr bool metered = !std::is_same_v<Meter, NoMeter>;

  GSX_HD void prefetch_superblock(Pos row, bool wanted) const {
    if (level_.size >= far_superblocks)
      __builtin_prefetch(level_.superblocks + (wanted ? row / QuadSuperblock::digits : 0));
  }

  const FmView& fm_;
  const QuadView& level_;
  Meter& meter_;
};

/// The steps of walks through any text: several levels, and codes of eight bits.
template <class Pos, class Meter>
class LevelSteps {
 public:
  static constexpr std::uint32_t code_bits = 8;
  static constexpr bool has_rows = false;

  LevelSteps(const FmView& fm, Meter& meter) : fm_(fm), meter_(meter) {}

  GSX_HD static CodeRun codes_before(const StrandCodes& strand, std::uint64_t end,
                                     std::uint32_t sigma) {
    return code_run<8>(strand, end, sigma);
  }

  GSX_HD void enter(const Walk<Pos>& walk) {
    prefetch_ranks(fm_.bwt.levels[level_of(walk)], walk.begin, walk.end, meter_);
  }

  GSX_HD void step_rows(Walks<Pos>&, Walks<Pos>&) {}
  GSX_HD void step_intervals(Walks<Pos>& walks, Walks<Pos>& leaving) {
    const std::size_t count = walks.size;
    walks.size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Walk<Pos> walk = walks[i];
      const bool stays = step(walk);
      walks.push(walk, stays);
      leaving.push(walk, !stays);
    }
  }

 private:
  GSX_HD static std::uint32_t level_of(const Walk<Pos>& walk) { return walk.tag >> 8 & 0xFF; }

  /// Takes a walk to the next level, or on the last to the next symbol; whether it stays.
  GSX_HD bool step(Walk<Pos>& walk) {
    const std::uint32_t level = level_of(walk), code = walk.codes & 0xFF;
    fm_.bwt.levels[level].sorted_ranks(
        fm_.bwt.digit_of(code, level), QuadView::block_position(walk.begin),
        static_cast<Pos>(walk.end - walk.begin), walk.begin, walk.end);
    if (walk.begin >= walk.end) {
      walk.begin = walk.end = 0;  // on this level, it may be behind the last row
      return false;
    }
    walk.tag += 1 << 8;
    if (level + 1 == fm_.bwt.level_count) {
      walk.tag -= ((level + 1) << 8) + 1;
      walk.codes >>= 8;
      const auto shift = static_cast<Pos>(fm_.c_offset[code]);
      walk.begin += shift;
      walk.end += shift;
      const bool kept = walk.end - walk.begin == 1 && fm_.sampling.keeps(walk.begin);
      if (walk.begin >= walk.end || walk.end > fm_.rows() || kept || walk.ready() == 0)
        return false;
    }
    enter(walk);
    return true;
  }

  const FmView& fm_;
  Meter& meter_;
};

}  // namespace gsx

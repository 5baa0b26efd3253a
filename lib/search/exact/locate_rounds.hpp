// Locates rows on the CPU: many walks in flight, so that their cache misses overlap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "index/fm/fm_view.hpp"
#include "search/exact/index_fault.hpp"

namespace gsx {

/// Locates all rows by LF steps, 32 at a time: enough cache misses to fill the line buffers of a
/// core, few enough that their state stays in the L1 cache.
template <class Pos>
GSX_HD void locate_rows(const FmView& fm, const Pos* rows, std::uint64_t* positions,
                        std::size_t count) {
  constexpr std::size_t in_flight = 32;
  struct Step {
    std::size_t result;
    std::uint64_t steps;
    Pos row;
    bool kept;
  };
  std::array<Step, in_flight> walks;
  std::size_t next = 0, active = 0;
  const auto prefetch = [&](Step& step) {
    step.kept = fm.sampling.keeps(step.row);
    if (step.kept) {
      __builtin_prefetch(fm.sample_address(step.row));
    } else {
      const Pos block = step.row / QuadBlock::digits;
      __builtin_prefetch(fm.bwt.levels[0].blocks + block);
      __builtin_prefetch(fm.bwt.levels[0].superblocks + block / QuadSuperblock::blocks);
    }
  };
  const auto start = [&](Step& step) {
    if (next == count) return false;
    step = {next, 0, rows[next], false};
    prefetch(step);
    ++next;
    return true;
  };
  while (active < in_flight && start(walks[active]))
    ++active;
  while (active > 0) {
    for (std::size_t i = 0; i < active; ++i) {
      Step& step = walks[i];
      if (fm.step_back(step.row, step.steps, positions[step.result], step.kept)) {
        if (positions[step.result] >= fm.rows()) throw_index_fault();
        if (!start(step)) step = walks[--active];
      } else {
        if (step.row >= fm.rows() || step.steps > fm.rows()) throw_index_fault();
        prefetch(step);
      }
    }
  }
}

}  // namespace gsx

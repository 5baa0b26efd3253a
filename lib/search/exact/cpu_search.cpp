#include "search/exact/cpu_search.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/compiled_for.hpp"
#include "index/fm/fm_view.hpp"
#include "search/exact/index_fault.hpp"
#include "search/exact/search_rounds.hpp"
#include "search/exact/vector_steps.hpp"

namespace gsx {
namespace {

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

bool is_dna(const FmView& fm) {
  return fm.bwt.level_count == 1 && fm.sigma == 4;
}

template <class Pos, class Meter>
GSX_HD void search_all(const SearchedIndex& index, const Patterns& patterns, bool forward,
                       bool reverse, Found<Pos>* found, Meter& meter) {
  if (is_dna(index.fm)) {
    SearchRounds<Pos, BaseSteps<Pos, Meter>, Meter>(index, patterns, forward, reverse, found, meter)
        .run();
  } else {
    SearchRounds<Pos, LevelSteps<Pos, Meter>, Meter>(index, patterns, forward, reverse, found,
                                                     meter)
        .run();
  }
}

template <class Pos>
void search_baseline(const SearchedIndex& index, const Patterns& patterns, bool forward,
                     bool reverse, Found<Pos>* found) {
  NoMeter meter;
  search_all(index, patterns, forward, reverse, found, meter);
}
template <class Pos>
GSX_TARGET_AVX2 void search_avx2(const SearchedIndex& index, const Patterns& patterns, bool forward,
                                 bool reverse, Found<Pos>* found) {
  NoMeter meter;
  if constexpr (vector_steps_exist && std::is_same_v<Pos, std::uint32_t>) {
    if (has_vector_steps() && is_dna(index.fm)) {
      SearchRounds<Pos, VectorSteps, NoMeter>(index, patterns, forward, reverse, found, meter)
          .run();
      return;
    }
  }
  search_all(index, patterns, forward, reverse, found, meter);
}

}  // namespace

template <class Pos>
SearchLoops<Pos> search_loops(CpuPath path) {
  return {path == CpuPath::avx2 ? search_avx2<Pos> : search_baseline<Pos>,
          compiled_for<locate_rows<Pos>>(path)};
}

template SearchLoops<std::uint32_t> search_loops(CpuPath path);
template SearchLoops<std::uint64_t> search_loops(CpuPath path);

std::uint64_t count_search_lines(const SearchedIndex& index, const Patterns& patterns,
                                 bool complements) {
  std::vector<Found<std::uint64_t>> found(2 * patterns.size());
  LineMeter meter;
  search_all(index, patterns, true, complements, found.data(), meter);
  return meter.lines;
}

}  // namespace gsx

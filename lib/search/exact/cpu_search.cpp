#include "search/exact/cpu_search.hpp"

#include <type_traits>
#include <vector>

#include "base/compiled_for.hpp"
#include "search/exact/locate_rounds.hpp"
#include "search/exact/search_rounds.hpp"
#include "search/exact/vector_steps.hpp"

namespace gsx {
namespace {

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

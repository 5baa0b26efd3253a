#include "search/exact/cpu_searcher.hpp"

#include <algorithm>

#include "search/exact/cpu_locate.hpp"
#include "search/exact/cpu_search.hpp"

namespace gsx {
namespace {

/// Patterns that are searched together.
constexpr std::size_t patterns_per_pass = std::size_t{1} << 15;

template <class Pos>
std::vector<StrandsFound<Pos>> search_all(const SearchedIndex& index, const Patterns& patterns,
                                          Strands strands, bool complements, CpuPath path) {
  std::vector<StrandsFound<Pos>> found(patterns.size());
  const bool forward = strands != Strands::reverse;
  const bool reverse = complements && strands != Strands::forward;
  if (!found.empty() && (forward || reverse)) {
    search_loops<Pos>(path).search(index, patterns, forward, reverse, found.data()->data());
  }
  return found;
}

template <class Pos>
void count_patterns(const SearchedIndex& index, const Patterns& patterns, Strands strands,
                    bool complements, CpuPath path, std::vector<StrandCounts>& counts) {
  const auto found = search_all<Pos>(index, patterns, strands, complements, path);
  std::transform(found.begin(), found.end(), counts.begin(), [](const auto& both) {
    return StrandCounts{both[0].count, both[1].count};
  });
}

}  // namespace

CpuSearcher::CpuSearcher(const Index& index, const SearchMemory& memory, CpuPath path,
                         std::uint64_t least_copied)
    : fm_(index.fm(), index.is_mapped() ? memory.index_copy : 0, least_copied),
      text_(index.text()),
      memory_(memory),
      complements_(index.alphabet().has_reverse_complement()),
      wide_(is_wide(index.meta().length, PositionWidth::automatic)),
      path_(path) {}

void CpuSearcher::count(const Patterns& patterns, Strands strands,
                        std::vector<StrandCounts>& counts) const {
  counts.assign(patterns.size(), {});
  const SearchedIndex index{fm_.view(patterns.codes.size()), text_};
  if (wide_) {
    count_patterns<std::uint64_t>(index, patterns, strands, complements_, path_, counts);
  } else {
    count_patterns<std::uint32_t>(index, patterns, strands, complements_, path_, counts);
  }
}

template <class Pos>
void CpuSearcher::stream(const Patterns& patterns, const LocateRequest& request,
                         const HitSink& sink) const {
  CpuLocate<Pos> locate(fm_, text_, path_, memory_, request.max_hits, sink);
  for (std::size_t first = 0; first < patterns.size(); first += patterns_per_pass) {
    const Patterns some =
        patterns.some(first, std::min(patterns.size(), first + patterns_per_pass));
    const auto found = search_all<Pos>({fm_.view(some.symbols()), text_}, some, request.strands,
                                       complements_, path_);
    locate.run(patterns, first, FoundRows<Pos>(found));
  }
}

void CpuSearcher::stream(const Patterns& patterns, const LocateRequest& request,
                         const HitSink& sink) const {
  if (wide_) {
    stream<std::uint64_t>(patterns, request, sink);
  } else {
    stream<std::uint32_t>(patterns, request, sink);
  }
}

}  // namespace gsx

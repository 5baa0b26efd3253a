#include "search/sites/site_parts.hpp"

namespace gsx {

std::vector<SliceRun> join_slices(std::span<const SitePart> slices,
                                  const std::function<bool(const SitePart&)>& fits) {
  std::vector<SliceRun> runs;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const SitePart& slice = slices[i];
    if (!runs.empty()) {
      const SitePart& before = runs.back().part;
      const SitePart joined{{before.starts.begin, slice.starts.end}, before.sites + slice.sites};
      if (fits(joined)) {
        runs.back() = {runs.back().first, i + 1, joined};
        continue;
      }
    }
    runs.push_back({i, i + 1, slice});
  }
  return runs;
}

}  // namespace gsx

#include "scan/mismatches.hpp"

#include <array>

namespace gsx {

void keep_fewest_mismatches(std::vector<Hit>& hits, std::uint64_t most) {
  if (hits.size() <= most) return;
  std::array<std::uint64_t, most_mismatches + 1> left{};  // hits of each class; then those to keep
  for (const Hit& hit : hits)
    ++left[hit.mismatches()];
  for (std::uint64_t& kept : left) {
    kept = std::min(kept, most);
    most -= kept;
  }
  const auto is_kept = [&left](const Hit& hit) {
    std::uint64_t& kept = left[hit.mismatches()];
    if (kept == 0) return false;
    --kept;
    return true;
  };
  // std::remove_if may call its predicate in any order and copy it.
  auto to = hits.begin();
  for (const Hit& hit : hits)
    if (is_kept(hit)) *to++ = hit;
  hits.erase(to, hits.end());
}

}  // namespace gsx

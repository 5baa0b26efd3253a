#include "search/mismatches/mismatches.hpp"

#include <array>

namespace gsx {

void keep_fewest_mismatches(std::vector<Hit>& hits, std::uint64_t most, std::size_t begin) {
  if (hits.size() - begin <= most) return;
  const auto first = hits.begin() + static_cast<std::ptrdiff_t>(begin);
  std::array<std::uint64_t, most_mismatches + 1> left{};  // hits of each class; then those to keep
  for (auto hit = first; hit != hits.end(); ++hit)
    ++left[hit->mismatches()];
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
  auto to = first;
  for (auto hit = first; hit != hits.end(); ++hit)
    if (is_kept(*hit)) *to++ = *hit;
  hits.erase(to, hits.end());
}

}  // namespace gsx

#include "search/sites/site_shape.hpp"

#include <algorithm>

namespace gsx {

std::optional<SiteShape> site_shape_of(std::span<const BaseSet> pattern) {
  if (pattern.empty() || is_strict(pattern.front()) == is_strict(pattern.back())) return {};
  SiteShape shape;
  shape.pam_first = is_strict(pattern.front());
  const auto changes = [&](BaseSet set) { return is_strict(set) != shape.pam_first; };
  const auto border = std::find_if(pattern.begin(), pattern.end(), changes);
  const auto first = pattern.first(static_cast<std::size_t>(border - pattern.begin()));
  const auto last = pattern.subspan(first.size());
  const auto pam = shape.pam_first ? first : last;
  const auto guide = shape.pam_first ? last : first;
  if (guide.size() < SiteShape::least_guide || guide.size() > SiteShape::most_guide) return {};
  const auto must_match = [](BaseSet set) { return is_strict(set); };
  const auto may_change = [](BaseSet set) { return is_base(set); };
  if (!std::all_of(pam.begin(), pam.end(), must_match)) return {};
  if (!std::all_of(guide.begin(), guide.end(), may_change)) return {};
  for (const BaseSet set : pam)
    shape.pam.push_back(set & base_sets::any);
  shape.guide = static_cast<std::uint32_t>(guide.size());
  return shape;
}

std::uint64_t guide_key(std::span<const BaseSet> pattern, const SiteShape& shape) {
  std::uint64_t key = 0;
  for (const BaseSet set : pattern.subspan(shape.guide_offset(false), shape.guide))
    key = key << 2 | code_of(set);
  return key;
}

}  // namespace gsx

#include "scan/site_shape.hpp"

#include <algorithm>

namespace gsx {
namespace {

bool must_match(BaseSet set) {
  return (set & base_sets::must_match) != 0;
}

bool is_single_base(BaseSet set) {
  return !must_match(set) && set != 0 && (set & (set - 1)) == 0;
}

}  // namespace

std::optional<SiteShape> site_shape_of(std::span<const BaseSet> pattern) {
  if (pattern.empty() || must_match(pattern.front()) == must_match(pattern.back())) return {};
  SiteShape shape;
  shape.pam_first = must_match(pattern.front());
  const auto changes = [&](BaseSet set) { return must_match(set) != shape.pam_first; };
  const auto border = std::find_if(pattern.begin(), pattern.end(), changes);
  const auto first = pattern.first(static_cast<std::size_t>(border - pattern.begin()));
  const auto last = pattern.subspan(first.size());
  const auto pam = shape.pam_first ? first : last;
  const auto guide = shape.pam_first ? last : first;
  if (guide.size() < SiteShape::least_guide || guide.size() > SiteShape::most_guide) return {};
  if (!std::all_of(pam.begin(), pam.end(), must_match)) return {};
  if (!std::all_of(guide.begin(), guide.end(), is_single_base)) return {};
  for (const BaseSet set : pam)
    shape.pam.push_back(set & base_sets::any);
  shape.guide = static_cast<std::uint32_t>(guide.size());
  return shape;
}

std::uint64_t guide_key(std::span<const BaseSet> pattern, const SiteShape& shape) {
  std::uint64_t key = 0;
  for (const BaseSet set : pattern.subspan(shape.guide_offset(false), shape.guide)) {
    const std::uint64_t code = (set & 0b1010) != 0 ? 1 : 0;  // C or T
    key = key << 2 | code | ((set & 0b1100) != 0 ? 2 : 0);   // G or T
  }
  return key;
}

}  // namespace gsx

#include "analysis/guides/bulge_scan.hpp"

#include <algorithm>

#include "analysis/guides/site_bases.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Starts of places that a thread looks at at a time.
constexpr std::uint64_t step = std::uint64_t{1} << 14;

}  // namespace

BulgeScan::BulgeScan(const TextView& text, const std::vector<Pam>& pams, const BulgeLimits& limits,
                     std::string_view guide, std::uint32_t mismatches, int threads, Strands strands)
    : text_(text), mismatches_(mismatches), threads_(threads), strands_(strands) {
  for (const char letter : guide)
    guide_.push_back(iupac_base_set(letter));
  for (const Bulge bulge : limits.kinds()) {
    const BulgePlaces places = places_of(bulge, guide.size(), mismatches);
    if (bulge != 0 && places.first >= places.last) continue;
    const auto bases = static_cast<std::uint32_t>(static_cast<int>(guide.size()) + bulge);
    for (const Pam& pam : pams)
      sought_.push_back({pam.shape(bases), bulge});
  }
}

void BulgeScan::for_each(const Take& take) const {
  const std::uint64_t length = text_.length();
  std::vector<std::vector<Site>> found(static_cast<std::size_t>(threads_) * 4);
  for (std::uint64_t begin = 0; begin < length; begin += step * found.size()) {
    const std::uint64_t tasks =
        std::min<std::uint64_t>(found.size(), (length - begin + step - 1) / step);
    parallel_for(threads_, tasks, [&](std::uint64_t task, int) {
      const std::uint64_t first = begin + task * step;
      found[task] = sites_in({first, std::min(first + step, length)});
    });
    for (std::uint64_t task = 0; task < tasks; ++task)
      for (const Site& site : found[task])
        take(site.hit, site.bulge);
  }
}

std::vector<BulgeScan::Site> BulgeScan::sites_in(PlaceRange range) const {
  std::vector<Site> sites;
  std::vector<std::uint8_t> codes;
  for (const Sought& sought : sought_) {
    SiteScan(text_, sought.shape).for_each_start(range, [&](std::uint64_t start, bool reverse) {
      if (strands_ == (reverse ? Strands::forward : Strands::reverse)) return;
      const std::uint32_t mismatches = mismatches_at(start, reverse, sought, codes);
      if (mismatches <= mismatches_) sites.push_back({{start, reverse, mismatches}, sought.bulge});
    });
  }
  std::sort(sites.begin(), sites.end(), [](const Site& a, const Site& b) {
    return a.hit < b.hit || (!(b.hit < a.hit) && a.bulge < b.bulge);
  });
  return sites;
}

std::uint32_t BulgeScan::mismatches_at(std::uint64_t start, bool reverse, const Sought& sought,
                                       std::vector<std::uint8_t>& codes) const {
  codes.resize(sought.shape.guide);
  read_bases(text_, start + sought.shape.guide_offset(reverse), reverse, codes);
  if (sought.bulge != 0) return align_bulge(guide_, codes, sought.bulge, mismatches_).mismatches;
  std::uint32_t mismatches = 0;
  for (std::size_t i = 0; i < guide_.size(); ++i)
    mismatches += has_base(guide_[i], codes[i]) ? 0 : 1;
  return mismatches;
}

}  // namespace gsx

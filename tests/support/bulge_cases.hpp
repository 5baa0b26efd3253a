// The sites of guides with bulges, by comparing every place in every way.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/guides/bulge_search.hpp"
#include "support/iupac.hpp"

namespace gsx::testing {

struct Site {
  std::uint64_t position;
  bool reverse;
  int bulge;
  std::uint32_t mismatches;
  friend auto operator<=>(const Site&, const Site&) = default;
};
using Sites = std::vector<Site>;

inline std::string turned(std::string s) {
  std::reverse(s.begin(), s.end());
  for (char& c : s)
    c = complement_of_base(c);
  return s;
}

/// The fewest mismatches of a guide and the bases of a site, over all places of the bulge.
inline std::uint32_t fewest(const std::string& guide, const std::string& bases,
                            std::uint32_t most) {
  const auto size = static_cast<int>(guide.size()), extra = static_cast<int>(bases.size()) - size;
  std::uint32_t least = most + 1;
  for (int before = extra == 0 ? 0 : 1; before < size; ++before) {
    std::string top = guide, bottom = bases;
    if (extra > 0)
      top.insert(static_cast<std::size_t>(before), static_cast<std::size_t>(extra), '-');
    if (extra < 0) {
      if (before - extra >= size) break;  // the last letter stays
      bottom.insert(static_cast<std::size_t>(before), static_cast<std::size_t>(-extra), '-');
    }
    std::uint32_t mismatches = 0, paired = 0, telling = 0;
    for (std::size_t i = 0; i < top.size(); ++i) {
      if (top[i] == '-' || bottom[i] == '-') continue;
      ++paired;
      telling += top[i] == 'N' ? 0 : 1;
      mismatches += stands_for(top[i], bottom[i]) ? 0 : 1;
    }
    if (paired > most && telling > 0) least = std::min(least, mismatches);
  }
  return least;
}

inline Sites naive_sites(const std::vector<std::string>& records, const std::string& guide,
                         const std::vector<Pam>& pams, const BulgeSearch::Request& request) {
  Sites sites;
  std::uint64_t begin = 0;  // of a segment in the text
  for (const std::string& record : records) {
    for (std::size_t at = 0; at <= record.size();) {
      const std::size_t end = std::min(record.find('N', at), record.size());
      const std::string segment = record.substr(at, end - at);
      at = end + 1;
      if (segment.empty()) continue;
      for (std::size_t p = 0; p < segment.size(); ++p) {
        for (const bool reverse : {false, true}) {
          if (request.strands == (reverse ? Strands::forward : Strands::reverse)) continue;
          for (int bulge = -static_cast<int>(request.limits.rna);
               bulge <= static_cast<int>(request.limits.dna); ++bulge) {
            const int length = static_cast<int>(guide.size()) + bulge;
            const std::size_t pam_size = pams[0].size();
            if (length < 1 || p + static_cast<std::size_t>(length) + pam_size > segment.size())
              continue;
            std::string site = segment.substr(p, static_cast<std::size_t>(length) + pam_size);
            if (reverse) site = turned(site);
            const bool has_pam = std::any_of(pams.begin(), pams.end(), [&](const Pam& pam) {
              const std::string there =
                  site.substr(pam.before_guide ? 0 : static_cast<std::size_t>(length), pam_size);
              return std::equal(there.begin(), there.end(), pam.letters.begin(),
                                [](char base, char letter) { return stands_for(letter, base); });
            });
            if (!has_pam) continue;
            const std::string bases =
                site.substr(pams[0].before_guide ? pam_size : 0, static_cast<std::size_t>(length));
            const std::uint32_t mismatches = fewest(guide, bases, request.mismatches);
            if (mismatches <= request.mismatches)
              sites.push_back({begin + p, reverse, bulge, mismatches});
          }
        }
      }
      begin += segment.size() + 1;
    }
  }
  std::sort(sites.begin(), sites.end());
  if (sites.size() <= request.max_hits) return sites;
  const auto rank = [](const Site& site) {
    return std::tuple(std::abs(site.bulge), site.mismatches, site);
  };
  std::sort(sites.begin(), sites.end(),
            [&](const Site& a, const Site& b) { return rank(a) < rank(b); });
  sites.resize(request.max_hits);
  std::sort(sites.begin(), sites.end());
  return sites;
}

}  // namespace gsx::testing

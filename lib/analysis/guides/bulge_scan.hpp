// Finds the sites of one guide with bulges by looking at every site of the PAM.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "analysis/guides/bulges.hpp"
#include "analysis/guides/pam.hpp"
#include "search/exact/hits.hpp"
#include "search/sites/site_scan.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Holds a bounded number of sites, however many there are. Cost: about 0.1 us per site of the PAM
/// and kind of bulge, on `threads` threads.
class BulgeScan {
 public:
  using Take = std::function<void(const Hit& hit, Bulge bulge)>;

  /// Pre: no two of the PAMs have sites in common.
  BulgeScan(const TextView& text, const std::vector<Pam>& pams, const BulgeLimits& limits,
            std::string_view guide, std::uint32_t mismatches, int threads,
            Strands strands = Strands::both);
  BulgeScan(const BulgeScan&) = delete;
  BulgeScan& operator=(const BulgeScan&) = delete;

  /// Gives all sites in output order.
  void for_each(const Take& take) const;

 private:
  struct Site {
    Hit hit;
    Bulge bulge;
  };
  struct Sought {
    SiteShape shape;
    Bulge bulge;
  };
  std::vector<Site> sites_in(PlaceRange range) const;
  std::uint32_t mismatches_at(std::uint64_t start, bool reverse, const Sought& sought,
                              std::vector<std::uint8_t>& codes) const;

  TextView text_;
  std::vector<BaseSet> guide_;
  std::uint32_t mismatches_;
  int threads_;
  Strands strands_;
  std::vector<Sought> sought_;  ///< one for each kind of site and PAM
};

}  // namespace gsx

// Takes the sites of a PAM in a text as guides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/guides/pam.hpp"
#include "device/circular/junctions.hpp"
#include "records/record_batch.hpp"
#include "search/sites/site_scan.hpp"
#include "text/text.hpp"
#include "text/text_regions.hpp"

namespace gsx {

/// Gives the guide of each site of the PAM, in the order of their places, forward before reverse. A
/// guide is named after its place with the PAM: TARGET:BEGIN-END(STRAND), 0-based and half-open.
/// END is greater than the length of the record if the site spans the origin of a circular one.
class SiteGuides {
 public:
  /// Pre: SiteShape::least_guide <= guide_length <= SiteShape::most_guide.
  SiteGuides(const TextView& text, const RecordsView& records, const Pam& pam,
             std::uint32_t guide_length);
  SiteGuides(const SiteGuides&) = delete;
  SiteGuides& operator=(const SiteGuides&) = delete;

  /// Leaves out sites that do not lie within one of these regions. Call it before take(). Asks
  /// `require`, which may throw, for the bytes that it then holds.
  void keep_within(
      TextRegions regions,
      const std::function<void(std::uint64_t bytes)>& require = [](std::uint64_t) {});
  /// Bytes that the regions take.
  std::uint64_t bytes() const {
    return stretches_.capacity() * sizeof stretches_[0] + (regions_ ? regions_->bytes() : 0);
  }

  /// Also gives the guides of sites that span the origins of the `circular` records, which ascend.
  /// Call it before take(). Throws OutOfMemoryError.
  void add_origins(std::span<const std::uint64_t> circular, const JunctionOptions& options);

  /// Takes the next part of the text, which has `most` sites, or some more, or is the last one;
  /// false if none is left. Counts sites, at some ns each. One thread at a time may call.
  bool take(std::size_t most, PlaceRange& part);
  /// Adds the guides of the sites that start in a part. Any thread may call.
  void find(const PlaceRange& part, RecordBatch& batch) const;

 private:
  /// A site that spans an origin.
  struct OriginSite {
    Hit place;
    std::uint64_t key;
  };
  template <class Use>
  void for_each_range(const PlaceRange& part, const Use& use) const;
  void append_guide(const Hit& place, std::uint64_t key, std::string& name,
                    RecordBatch& batch) const;

  TextView text_;
  RecordsView records_;
  SiteShape shape_;
  SiteScan scan_;
  std::optional<TextRegions> regions_;  ///< none: everywhere
  std::vector<TextStretch> stretches_;  ///< of the regions
  std::uint64_t next_ = 0;              ///< where the next part starts
  std::vector<OriginSite> origin_sites_;
};

}  // namespace gsx

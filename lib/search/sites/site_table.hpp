// A table of the sites of a PAM, to look up guides with mismatches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "base/cpu_path.hpp"
#include "search/sites/site_parts.hpp"
#include "search/sites/site_scan.hpp"

namespace gsx {

/// A site that a guide matches with so many mismatches.
struct NearSite {
  std::uint32_t index;  ///< in the half's tables
  std::uint32_t mismatches;
};

/// Sites in the order of the bases at one end of their guides. Those of bucket b are
/// [offsets[b], offsets[b + 1]); `rest` holds the other bases of each.
struct SiteHalf {
  Buffer<std::uint32_t> offsets;
  Buffer<std::uint32_t> rest;
  Buffer<std::uint32_t> places;  ///< start in the part, and the strand in the lowest bit
};

/// All sites of a PAM in a part of a text, twice: in buckets by the first `half` bases of the guide
/// and in buckets by the last ones.
/// Memory: 16 bytes per site and 8 * 4^half; 40 per site while it is built.
class SiteTable {
 public:
  static constexpr std::uint32_t most_half = 12;
  /// So that 32 bits number the sites of a PAM that is at every place on both strands, and some
  /// more that a vector step reads.
  static constexpr std::uint64_t most_places = std::uint64_t{1} << 30;

  /// `slices` cut the part, in order; each has its number of sites. Pre: the part has at most
  /// most_places places. Throws ResourceError. Cost: one pass over the text, and for each half two
  /// over the sites, on `threads` threads.
  SiteTable(const TextView& text, const SiteShape& shape, std::span<const SitePart> slices,
            int threads);

  /// Bytes while a table of so many sites is built, at most.
  static std::uint64_t bytes_to_build(std::uint64_t sites, std::uint32_t guide);
  /// Bases of a half for so many sites.
  static std::uint32_t half_bases(std::uint64_t sites, std::uint32_t guide);

  std::uint64_t sites() const { return first_.rest.size() - padding; }
  std::uint64_t begin() const { return begin_; }
  std::uint32_t guide() const { return guide_; }
  std::uint32_t half() const { return half_; }
  /// The half of the tables whose buckets are those of the first bases, or of the last ones.
  const SiteHalf& of(bool last) const { return last ? last_ : first_; }

  /// Elements after the last of `rest` that may be read, so that 8 of them can be at a time.
  static constexpr std::size_t padding = 8;

 private:
  struct Unsorted;
  SiteHalf sort(const Unsorted& sites, bool last, int threads) const;

  std::uint64_t begin_ = 0;
  std::uint32_t guide_ = 0;
  std::uint32_t half_ = 0;
  SiteHalf first_;
  SiteHalf last_;
};

/// Cuts the places of a text into slices and counts the sites of each. Cost: one pass over the
/// text.
std::vector<SitePart> count_sites(const TextView& text, const SiteShape& shape, int threads);

}  // namespace gsx

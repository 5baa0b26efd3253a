// Searches many guides beside one PAM by a table of its sites on the GPU.
#pragma once

#include <memory>

#include "kernels/search/mismatches/placed_text.hpp"
#include "kernels/search/sites/site_join.hpp"
#include "search/mismatches/mismatch_way.hpp"

namespace gsx::cuda {

/// How tables of sites work; what is found does not depend on it.
struct SiteOptions {
  int threads = 1;                                        ///< that the GPU saves, for the cost
  std::uint64_t host_hits = SearchMemory().hits_at_once;  ///< in the host's memory, per call
  std::uint64_t table_bytes = unlimited;                  ///< of the device, for tables
  std::uint64_t slice_places = std::uint64_t{1} << 20;    ///< of which parts are made
  std::uint64_t range_places = std::uint64_t{1} << 26;    ///< of a guide with too many hits to sort
  std::uint32_t many_guides = DeviceGuides::usual_many;   ///< see there
};

/// Does what SiteSearcher does, with tables on the device. They take at most nine tenths of the
/// device memory that is free when the first is made. One that does not fit is made in parts of the
/// text, one after another, for each call. Leaves to `scan`, which must outlive it, what has no
/// shape and what there is no memory for. Each call has a stream of its own.
std::unique_ptr<MismatchWay> make_site_searcher(std::shared_ptr<const PlacedText> text,
                                                const MismatchWay& scan,
                                                const SiteOptions& options);

}  // namespace gsx::cuda

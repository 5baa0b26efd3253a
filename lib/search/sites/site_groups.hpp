// Guides of a batch by the shape of their sites.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "search/mismatches/set_patterns.hpp"
#include "search/sites/site_shape.hpp"

namespace gsx {

/// Patterns of one shape.
struct SiteGroup {
  SiteShape shape;
  std::vector<std::uint32_t> patterns;  ///< their numbers in the batch
  std::vector<std::uint64_t> keys;      ///< guide_key() of each
};

/// The patterns of a batch by shape, in the order of the batch; those that cannot be asked for
/// (can_be_asked()) are in no group. Nothing if another one has no shape, or if there are more than
/// `most_shapes`: that is no list of guides. Cost: some ns per base, on `threads` threads.
std::optional<std::vector<SiteGroup>> group_by_site(const SetPatterns& patterns,
                                                    std::uint32_t mismatches, int threads,
                                                    std::size_t most_shapes = 8);

/// The key of a pattern; none if it has not the shape. Takes no memory, as site_shape_of() does.
std::optional<std::uint64_t> key_in_shape(std::span<const BaseSet> pattern, const SiteShape& shape);

}  // namespace gsx

// What suffixes share, from a text in host memory, as far as the device has room for it.
#pragma once

#include <cstdint>
#include <optional>

#include "device/backend.hpp"
#include "index/lcp/shared_lengths.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/index/sa/sort_plan.hpp"
#include "text/both_strands.hpp"

namespace gsx::cuda {

/// What sorting takes beside SharedLengthsCollector. `shape` is that of the text alone.
SortShape sharing_shape(const BothStrandsView& text, SortShape shape);

/// Device bytes that are needed once suffixes are sorted.
std::uint64_t finishing_bytes(const BothStrandsView& text);

/// Whether the device can find what suffixes share, with `available` bytes for `shape`, that of
/// sharing_shape().
template <class Pos>
bool can_share(const BothStrandsView& text, const SortShape& shape, std::uint64_t available);

/// The same as SharedLengthsBuilder makes; or nothing where too many suffixes have too much in
/// common, which is known when the last of them is sorted at the latest, or memory runs out
/// nevertheless: the log says so. Pre: can_share(). Throws DeviceError.
template <class Pos>
std::optional<SharedLengths> share_lengths(const BothStrandsView& text, const SortShape& shape,
                                           const BuildOptions& options, DeviceLink& link);

}  // namespace gsx::cuda

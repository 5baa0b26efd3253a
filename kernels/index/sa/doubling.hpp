// Prefix doubling among items whose first ranks are known.
#pragma once

#include <cstdint>

#include "kernels/index/sa/tied_rows.hpp"

namespace gsx::cuda {

/// Ranks of items 0 .. m - 1 by what follows them: item i is followed by item i + 1, then i + 2,
/// and so on. `order` lists the items by a first comparison that `tied` says is not decided for
/// some; those are told apart by the items behind them (Larsson and Sadakane; paper: GPU prefix
/// doubling), all reading ranks before any are changed. A key has as many ranks as fit
/// 64 bits, so that few items are compared threefold or fourfold as far in a round. Pre: tied items
/// agree on no more items than follow both.
/// Returns ranks[i], the place of item i. Cost: 4 bytes per item, O(log of the longest repeat in
/// items) rounds over those still tied. Waits for the stream. Throws ResourceError, DeviceError.
DeviceBuffer<std::uint32_t> double_ranks(const DeviceBuffer<std::uint32_t>& order,
                                         TiedRows<std::uint32_t>& tied);

}  // namespace gsx::cuda

// Choosing elements on the device, and the mailboxes that bring their number to the host.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace gsx::testing {

/// Of the elements i of [0, size) with i % stride == first, those that the device has moved
/// together, and those that it has dropped, in order; and a sum of `added` that came with their
/// number.
struct DeviceSelection {
  std::uint64_t size = 0;
  std::uint64_t dropped = 0;
  std::uint64_t added = 0;
  std::vector<std::uint64_t> kept;
};

/// One after another, with the same mailboxes: in pinned memory, or each in memory of the pool.
std::vector<DeviceSelection> device_selections(const std::vector<std::uint64_t>& sizes,
                                               std::uint64_t stride, std::uint64_t first,
                                               std::uint64_t added, bool pinned);

/// The sums that `count` mailboxes have come to, in use at the same time, after a kernel has added
/// the number of each to it; and this twice, one after another.
std::vector<std::uint64_t> sums_of_mailboxes(std::uint64_t count);

/// The sums that two mailboxes begin with, after one has been added to that was not read.
std::pair<std::uint64_t, std::uint64_t> sums_of_fresh_mailboxes();

}  // namespace gsx::testing

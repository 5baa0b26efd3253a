// Sorting many small groups at once.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// Whether suffixes with this key have ended, and so are in order by position already: its bits
/// under `mask` are below `limit`. By default none has.
struct EndedKeys {
  std::uint64_t mask = 0;
  std::uint64_t limit = 0;

  GSX_HD bool operator()(std::uint64_t key) const { return (key & mask) < limit; }
};

/// Slots of suffixes. A group is a maximal run of slots whose first has head 1 and whose others
/// have head 0.
template <class Pos>
struct Slots {
  Pos* positions;
  std::uint8_t* heads;
};

/// Bits that keys must leave free at the top for sort_groups to number large groups.
std::uint32_t group_number_bits(std::uint64_t size);

/// Sorts every group by the keys of its slots, stably, from `from` into `to`, and sets heads in
/// `to` where a key differs from the one before or has ended. The keys, and what `from` has, are
/// lost.
///
/// Groups of at most group_limit (kernels/base/tuning.hpp) slots, which is nearly all of them,
/// are sorted where they lie: each slot counts the smaller keys of its group in shared memory, so
/// that the whole takes one pass over memory instead of a radix sort's eight. Larger groups are
/// gathered, numbered, sorted by radix and put back. Pre: within a group keys agree above their
/// lowest `key_bits` bits, which are at most 64 - group_number_bits(size); slot 0 is a head;
/// size < 2^32. Without `any_large`, no group is larger than group_limit. Returns whether one was;
/// groups only get smaller. Cost: one pass; a byte per slot, or 12 and a position per slot of a
/// large group. Waits for the stream if there may be large groups. Throws ResourceError,
/// DeviceError.
template <class Pos>
bool sort_groups(std::uint64_t* d_keys, const Slots<Pos>& from, const Slots<Pos>& to,
                 std::uint64_t size, bool any_large, std::uint32_t key_bits, EndedKeys ended,
                 DeviceStream stream);

}  // namespace gsx::cuda

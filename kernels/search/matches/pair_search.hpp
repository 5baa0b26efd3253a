// Pairs of matches of a part of the queries, on the device.
#pragma once

#include <cstdint>

#include "kernels/base/memory_pool.hpp"
#include "search/matches/pair_join.hpp"

namespace gsx::cuda {

/// The place of a pair above its target, in a number that sorts as PairOrder does but for the
/// length.
struct PairKeys {
  std::uint64_t first_place;
  std::uint32_t target_bits;

  GSX_HD std::uint64_t key(const PairOrder& pair) const {
    return (pair.place - first_place) << target_bits | pair.target;
  }
  PairOrder pair(std::uint64_t key, std::uint64_t length) const {
    return {first_place + (key >> target_bits), key & ((std::uint64_t{1} << target_bits) - 1),
            length};
  }
};

/// What the kernels of a search share, in device memory.
struct PairArrays {
  std::uint64_t* sums;    ///< [kmers + 1]: candidates of the k-mers before, and of all
  std::uint32_t* begins;  ///< [kmers]: the first sample of each
  std::uint8_t* workspace;
  std::uint64_t workspace_bytes;
  OpenPair* open;  ///< [open_room]
  std::uint32_t open_room;
  std::uint32_t room;       ///< pairs
  std::uint64_t* keys;      ///< [room]
  std::uint64_t* lengths;   ///< [room]
  std::uint64_t* found;     ///< pairs, also some of those without room; zero at first
  std::uint32_t* deferred;  ///< candidates for `open`, also those without room; zero at first
};

/// Bytes of workspace for so many k-mers.
std::uint64_t pair_workspace_bytes(std::uint64_t kmers);

/// Looks up k-mers [first, first + kmers), and sums up their candidates. Asynchronous. Throws
/// DeviceError.
void look_up_kmers_async(const PairJoin& join, std::uint64_t first, std::uint64_t kmers,
                         const PairArrays& arrays, cudaStream_t stream);

/// Extends candidates [begin, end), or as many as there are, to pairs, in any order; stops soon
/// when there is no room for more. Asynchronous. Throws DeviceError.
void extend_candidates_async(const PairJoin& join, std::uint64_t first, std::uint64_t kmers,
                             std::uint64_t begin, std::uint64_t end, const PairKeys& keys,
                             const PairArrays& arrays, cudaStream_t stream);

/// Sorts the first `count` pairs by their keys, which have so many bits. Asynchronous. Throws
/// ResourceError, DeviceError.
struct SortedPairs {
  const std::uint64_t* keys;
  const std::uint64_t* lengths;
};
SortedPairs sort_pairs_async(const PairArrays& arrays, std::uint32_t count, std::uint32_t bits,
                             std::uint64_t* other_keys, std::uint64_t* other_lengths,
                             DeviceStream stream);

}  // namespace gsx::cuda

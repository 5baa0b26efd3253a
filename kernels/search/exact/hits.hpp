// From rows to sorted hits, on the device.
#pragma once

#include <cstdint>

#include "kernels/base/tuning.hpp"
#include "kernels/search/exact/search.hpp"

namespace gsx::cuda {

/// d_counts[i]: occurrences of pattern i; d_reported[i]: how many of them are to be reported, those
/// of the forward strand before those of the reverse, max_hits at most; may be null. Asynchronous.
template <class Pos>
void count_reported_async(const Jobs& jobs, const Found<Pos>* d_found, std::uint64_t max_hits,
                          StrandCounts* d_counts, std::uint64_t* d_reported, DeviceStream stream);

/// Replaces values by their sums up to each. Asynchronous. Throws ResourceError, DeviceError.
void sum_up_async(DeviceBuffer<std::uint64_t>& values, DeviceStream stream);

/// The same with a workspace of the caller's, of sum_up_bytes(count) bytes. Throws DeviceError.
std::size_t sum_up_bytes(std::uint64_t count);
void sum_up_async(std::uint64_t* d_values, std::uint64_t count, void* d_workspace,
                  std::size_t workspace_bytes, cudaStream_t stream);

/// What gather_within_async() works with, beside its arguments.
struct GatherLists {
  static constexpr std::uint64_t patterns_within(std::uint64_t room) {
    return room / tuning::few_hits + 1;
  }

  std::uint64_t* d_many;             ///< [patterns_within(room)]
  unsigned long long* d_many_count;  ///< zero
  std::uint32_t* d_left_out;         ///< zero
};

/// Does what gather_hits() does for all patterns, without a wait, if there are at most `room` hits;
/// sets *d_left_out where a pattern has more than a block of threads sorts, whose hits are then
/// missing. d_hits, [room]. Asynchronous. Throws DeviceError.
template <class Pos>
void gather_within_async(const SearchView<Pos>& index, const Jobs& jobs, const Found<Pos>* d_found,
                         const std::uint64_t* d_ends, std::uint64_t room, std::uint64_t* d_hits,
                         const GatherLists& lists, std::uint32_t* d_fault, DeviceStream stream);

/// Hits of patterns [first, last), as Hit has them, each pattern's sorted.
/// d_ends[i]: hits of all patterns up to i. Those of the patterns asked for are written from d_hits
/// on. Cost: an access to the suffix array, or about sample_rate steps, per hit. Waits for the
/// stream. Throws ResourceError, DeviceError.
template <class Pos>
void gather_hits(const SearchView<Pos>& index, const Jobs& jobs, const Found<Pos>* d_found,
                 const std::uint64_t* d_ends, std::uint64_t first, std::uint64_t last,
                 DeviceBuffer<std::uint64_t>& hits, std::uint32_t* d_fault, DeviceStream stream);

/// Hits [begin, begin + count) of one pattern in the order of its rows, not sorted: for patterns
/// with more hits than are worked on at a time. Asynchronous.
template <class Pos>
void gather_some_async(const SearchView<Pos>& index, const Jobs& jobs, const Found<Pos>* d_found,
                       std::uint64_t pattern, std::uint64_t begin, std::uint64_t count,
                       std::uint64_t* d_hits, std::uint32_t* d_fault, DeviceStream stream);

/// Text positions [begin, end).
struct TextRange {
  std::uint64_t begin;
  std::uint64_t end;
};

/// Hits of a pattern that start in a range of the text, in output order, found by reading the text;
/// returns how many there are. Pre: the pattern matches something on each strand that is searched;
/// `hits` has room for two per position. Waits for the stream. Throws ResourceError, DeviceError.
template <class Pos>
std::uint64_t scan_hits(const SearchView<Pos>& index, const PatternsView& patterns,
                        std::uint64_t pattern, bool forward, bool reverse, TextRange range,
                        DeviceBuffer<std::uint64_t>& hits, DeviceStream stream);

/// Moves those of `count` hits that start in a range of the text to `kept`, behind the `before`
/// hits that are there, in their order; returns how many those are then. Pre: there is room. Waits
/// for the stream. Throws ResourceError, DeviceError.
std::uint64_t keep_hits(const std::uint64_t* d_hits, std::uint64_t count, TextRange range,
                        std::uint64_t* d_kept, std::uint64_t before, DeviceStream stream);

/// Sorts the first `count` hits. Asynchronous. Throws ResourceError, DeviceError.
void sort_hits_async(DeviceBuffer<std::uint64_t>& hits, std::uint64_t count, DeviceStream stream);

}  // namespace gsx::cuda

// Backward search of a batch of patterns on the device.
#pragma once

#include <cstdint>

#include "device/backend.hpp"
#include "kernels/search/exact/packed_patterns.hpp"
#include "kernels/search/exact/search_index.hpp"

namespace gsx::cuda {

/// The patterns of a batch on the strands that are asked for. Job j is pattern j % patterns, all
/// forward strands before all reverse ones, so that neighbouring threads do alike work.
struct Jobs {
  std::uint64_t patterns = 0;
  std::uint64_t count = 0;
  bool reverse_first = false;  ///< there are no forward strands

  /// `complements`: whether the alphabet has reverse complements; without, there is one strand.
  static Jobs of(std::uint64_t patterns, Strands strands, bool complements);

  GSX_HD std::uint64_t pattern(std::uint64_t job) const {
    return job < patterns ? job : job - patterns;
  }
  GSX_HD bool is_reverse(std::uint64_t job) const { return reverse_first || job >= patterns; }
  /// Number of the job of a pattern's strand; `count` if it is not searched.
  GSX_HD std::uint64_t job_of(std::uint64_t pattern, bool reverse) const {
    if (reverse == reverse_first) return pattern;
    return reverse && count > patterns ? patterns + pattern : count;
  }
};

/// Where a pattern's strand occurs. Without a mask: at the positions of rows [begin, begin +
/// count). With one: at the positions of the rows begin + k for which bit k is set, of which there
/// are count, less offset.
template <class Pos>
struct alignas(4 * sizeof(Pos)) Found {
  Pos begin;
  Pos count;
  Pos offset;
  std::uint32_t mask;
};

/// Searches every job: d_found[j] for job j. With `verify`, when few candidate rows are left and
/// the index has all rows on the device, they are compared with the text: about 3 accesses instead
/// of one or two a remaining symbol, with the same result.
///
/// One kernel looks up k-mers, takes a few steps and compares where that left few candidates; one
/// tries k-mers from elsewhere in the patterns for the others; one takes all the steps of what is
/// still undecided, and one compares its candidates. So the threads of a warp do alike work, and
/// none waits for the longest pattern of its warp.
/// Sets *d_fault when the index leads outside itself.
/// Cost: 12 bytes per job beside d_found. Asynchronous. Pre: fewer than 2^32 jobs.
/// Throws ResourceError, DeviceError.
template <class Pos>
void search_async(const SearchView<Pos>& index, const PatternsView& patterns, const Jobs& jobs,
                  bool verify, Found<Pos>* d_found, std::uint32_t* d_fault, DeviceStream stream);

/// What a search hands from kernel to kernel.
struct SearchLists {
  static constexpr std::uint64_t lists = 3;
  static constexpr std::uint64_t counters = 2 * lists;

  std::uint32_t* d_jobs;      ///< [lists * jobs.count]
  std::uint32_t* d_counters;  ///< [counters], zero
};

/// The same with memory of the caller's. Throws DeviceError.
template <class Pos>
void search_async(const SearchView<Pos>& index, const PatternsView& patterns, const Jobs& jobs,
                  bool verify, Found<Pos>* d_found, const SearchLists& lists,
                  std::uint32_t* d_fault, DeviceStream stream);

/// d_counts[j] = d_found[j].count. Asynchronous. Throws DeviceError.
template <class Pos>
void extract_counts_async(const Found<Pos>* d_found, std::uint64_t jobs, Pos* d_counts,
                          DeviceStream stream);

}  // namespace gsx::cuda

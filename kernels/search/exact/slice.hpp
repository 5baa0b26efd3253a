// Some patterns of a batch on their way through the device and back.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/base/search_lane.hpp"
#include "kernels/search/exact/search.hpp"
#include "kernels/search/exact/search_index.hpp"
#include "search/exact/searcher.hpp"

namespace gsx::cuda {

/// What is asked of a slice.
struct SliceRequest {
  Strands strands = Strands::both;
  bool complements = true;
  bool verify = true;
  bool locates = false;
  std::uint64_t hit_room = 0;  ///< hits that may come back together with the counts
};

/// Patterns, their search and its results in the memory of a lane. All that the host gives crosses
/// the bus in one copy, and all that it gets in another, with one wait.
template <class Pos>
class SearchSlice {
 public:
  /// Takes memory, packs the patterns, and starts the search. Before ResourceError and
  /// std::bad_alloc, nothing has been started. Throws DeviceError.
  SearchSlice(SearchLane& lane, const SearchView<Pos>& index, const Patterns& patterns,
              const SliceRequest& request);
  SearchSlice(const SearchSlice&) = delete;
  SearchSlice& operator=(const SearchSlice&) = delete;

  /// Asks for the counts. Throws DeviceError.
  void count();
  /// Asks for the counts, the ends, and the hits if there is room for them. Throws DeviceError.
  void locate(std::uint64_t max_hits);
  /// Waits for what was asked for. Throws CorruptIndexError, DeviceError.
  void wait() const;

  /// What came back: of each pattern the occurrences, and the end of its hits. Valid until the lane
  /// copies something else.
  std::span<const StrandCounts> counts() const;
  std::span<const std::uint64_t> ends() const;
  /// Whether all hits have come back; if so, they are sorted as HitChunk has them.
  bool has_hits() const;
  std::span<const Hit> hits() const;

  // For hits that have not:
  const SearchView<Pos>& index() const { return index_; }
  const PatternsView& patterns() const { return patterns_; }
  const Jobs& jobs() const { return jobs_; }
  const Found<Pos>* found() const { return found_; }
  const std::uint64_t* ends_on_device() const { return at<std::uint64_t>(ends_of_hits_); }
  std::uint32_t* fault_flag() const { return &at<State>(state_)->fault; }
  /// Waits; throws CorruptIndexError if a kernel has raised the flag.
  void check_fault() const;

 private:
  /// Numbers that kernels share. Zero at first.
  struct State {
    std::uint32_t fault;
    std::uint32_t left_out;
    unsigned long long many;
    std::uint32_t counters[SearchLists::counters];
  };

  /// Where the arrays lie, in bytes from the beginning of the lane's device memory. The host has
  /// [0, counts_) as it sends it, and then what lies from the state on as it comes back.
  template <class T>
  T* at(std::uint64_t offset) const {
    return reinterpret_cast<T*>(lane_.device() + offset);
  }
  template <class T>
  const T* returned(std::uint64_t offset) const {
    return reinterpret_cast<const T*>(lane_.host() + (offset - state_));
  }
  void write_patterns(const Patterns& patterns, bool packed) const;
  void fetch(std::uint64_t end) const;

  SearchLane& lane_;
  SearchView<Pos> index_;
  PatternsView patterns_;
  Jobs jobs_;
  std::uint64_t room_;
  std::uint64_t symbols_, ends_, foreign_, state_, counts_, ends_of_hits_, hits_;
  std::uint64_t workspace_ = 0, workspace_bytes_ = 0, many_ = 0;
  Found<Pos>* found_ = nullptr;
};

}  // namespace gsx::cuda

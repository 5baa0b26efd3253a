// Patterns of a batch on their way through the device: pieces there, places back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/scan/seed_search.hpp"
#include "kernels/search/search_lane.hpp"
#include "scan/seed_patterns.hpp"

namespace gsx::cuda {

/// What is asked of a slice.
struct SeedRequest {
  Strands strands = Strands::both;
  std::uint32_t mismatches = 0;
  bool verify = true;              ///< as for search_async()
  std::uint64_t room = 0;          ///< places that may come back with one wait
  std::uint64_t most = unlimited;  ///< places that may come back at all
};

/// The places of patterns, in the memory of a lane or, if there are more than expected, of its own.
template <class Pos>
class SeedSlice {
 public:
  /// Takes memory, sends the patterns, and waits for their places. Before ResourceError and
  /// std::bad_alloc, nothing has been started. Throws CorruptIndexError, DeviceError.
  SeedSlice(SearchLane& lane, const SearchView<Pos>& index, const SeedPatterns& patterns,
            const SeedRequest& request);
  SeedSlice(const SeedSlice&) = delete;
  SeedSlice& operator=(const SeedSlice&) = delete;

  /// How many places there are. If they are more than request.most, they are not here.
  std::uint64_t size() const { return size_; }
  /// The places, in no particular order, and the numbers of their patterns. Valid until the lane
  /// copies something else.
  std::span<const Hit> hits() const { return hits_; }
  std::span<const std::uint32_t> patterns() const { return patterns_; }

 private:
  /// Numbers that kernels share. Zero at first.
  struct State {
    std::uint32_t fault;
    std::uint32_t unused;
    unsigned long long places;
    std::uint32_t search_counters[SearchLists::counters];
    std::uint32_t seed_counters[2];
  };

  /// Where the arrays lie, in bytes from the beginning of the lane's device memory. The host has
  /// what is sent from the beginning on, and then what lies from the state on as it comes back.
  struct Places {
    std::uint64_t symbols, piece_ends, foreign, words, entries, pieces;  ///< sent
    std::uint64_t state, hits, patterns;                                 // the state both ways
    std::uint64_t found, lists, seed_jobs;
  };
  template <class T>
  T* at(std::uint64_t offset) const {
    return reinterpret_cast<T*>(lane_.device() + offset);
  }
  void write(const SeedPatterns& patterns) const;
  void fetch_more(const SearchView<Pos>& index, const SeedsView& seeds, const Jobs& jobs,
                  std::uint32_t mismatches);

  SearchLane& lane_;
  Places places_;
  std::uint64_t size_ = 0;
  std::span<const Hit> hits_;
  std::span<const std::uint32_t> patterns_;
  std::vector<Hit> own_hits_;
  std::vector<std::uint32_t> own_patterns_;
};

}  // namespace gsx::cuda

// Patterns of a batch on their way through the device: pieces there, places back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/base/search_lane.hpp"
#include "kernels/search/mismatches/reported_places.hpp"
#include "kernels/search/mismatches/seed_search.hpp"
#include "search/mismatches/mismatches.hpp"
#include "search/mismatches/seed_patterns.hpp"

namespace gsx::cuda {

/// How a slice is searched.
struct SeedSliceOptions {
  bool verify = true;              ///< as for search_async()
  bool locates = false;            ///< whether hits come back, instead of counts by mismatches
  std::uint64_t room = 0;          ///< places that are listed at first, if it locates
  std::uint64_t most = unlimited;  ///< places that are listed at all
};

/// What is found of patterns, in the memory of a lane or, if there are more places than expected,
/// of its own. Valid until the lane copies something else.
template <class Pos>
class SeedSlice {
 public:
  /// Takes memory, sends the patterns, and waits for what is found. `seeds` has been prepared for
  /// the patterns, and need not be packed. Before ResourceError and std::bad_alloc, nothing has
  /// been started that is not waited for. Throws CorruptIndexError, DeviceError. Pre: 1 to
  /// HitRecord::most_patterns patterns.
  SeedSlice(SearchLane& lane, const SearchView<Pos>& index, const SetPatterns& patterns,
            const SeedPatterns& seeds, const MismatchRequest& request,
            const SeedSliceOptions& options);
  SeedSlice(const SeedSlice&) = delete;
  SeedSlice& operator=(const SeedSlice&) = delete;

  /// If it does not locate: the places of each pattern, by strand and by number of mismatches.
  std::span<const std::uint64_t> class_counts() const { return class_counts_; }

  /// If it locates: how many places there are. If they are more than options.most, the hits are not
  /// here.
  std::uint64_t places() const { return places_; }
  /// Of each pattern the places, the end of its hits, and these, as HitChunk has them.
  std::span<const StrandCounts> counts() const { return counts_; }
  std::span<const std::uint64_t> ends() const { return ends_; }
  std::span<const Hit> hits() const { return hits_; }

 private:
  /// Numbers that kernels share. Zero at first.
  struct State {
    std::uint32_t fault;
    std::uint32_t unused;
    std::uint64_t places;
    std::uint32_t search_counters[SearchLists::counters];
    std::uint32_t seed_counters[2];
  };

  /// Where the arrays lie, in bytes from the beginning of the lane's device memory. The host has
  /// what is sent from the beginning on, and then what lies from the state on as it comes back.
  struct Places {
    std::uint64_t sets, set_words, entries, pieces;  ///< sent
    std::uint64_t state;                             // both ways
    std::uint64_t class_counts;                      ///< comes back if the slice does not locate
    std::uint64_t counts, ends, hits;                ///< come back if it does
    std::uint64_t records, other_records, place_ends, workspace;
    std::uint64_t packed, words, piece_begins, piece_ends, foreign;
    std::uint64_t found, lists, seed_jobs;
  };
  /// What the kernels are given that find places.
  struct Search {
    const SearchView<Pos>& index;
    SeedsView seeds;
    Jobs jobs;
    MismatchRequest request;
    std::uint32_t patterns;
  };

  template <class T>
  T* at(std::uint64_t offset) const {
    return reinterpret_cast<T*>(lane_.device() + offset);
  }
  template <class T>
  const T* returned(std::uint64_t offset) const {
    return reinterpret_cast<const T*>(lane_.host() + (offset - at_.state));
  }
  void write(const SetPatterns& patterns, const SeedPatterns& seeds) const;
  void prepare_async(const SetPatterns& patterns, std::uint32_t count) const;
  void find_async(const Search& search, const ScanResult& result) const;
  void locate_async(const Search& search, std::uint64_t* d_records, std::uint64_t room, Hit* d_hits,
                    const ReportMemory& memory) const;
  void locate_again(const Search& search);

  SearchLane& lane_;
  Places at_;
  std::uint64_t places_ = 0;
  std::span<const std::uint64_t> class_counts_;
  std::span<const StrandCounts> counts_;
  std::span<const std::uint64_t> ends_;
  std::span<const Hit> hits_;
  std::vector<StrandCounts> own_counts_;
  std::vector<std::uint64_t> own_ends_;
  std::vector<Hit> own_hits_;
};

}  // namespace gsx::cuda

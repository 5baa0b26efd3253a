// The CPU as a device that finds neighbours and prefixes.
#pragma once

#include "search/sets/neighbors.hpp"
#include "search/sets/prefix_finder.hpp"
#include "search/sets/prefix_queries.hpp"

namespace gsx {

class CpuNeighborFinder final : public NeighborFinder {
 public:
  void find(const SequenceSet& first, const SequenceSet* second, const NeighborRequest& request,
            const NeighborOptions& options, const TakeNeighbors& take) override {
    NeighborOptions own = options;
    own.finder = nullptr;
    if (second == nullptr) return find_neighbors(first, request, own, take);
    find_neighbors_between(first, *second, request, own, take);
  }
};

class CpuPrefixFinder final : public PrefixFinder {
 public:
  /// The set must outlive this.
  explicit CpuPrefixFinder(const PrefixSet& set) : set_(set) {}
  void find(std::span<const std::string_view> sequences,
            std::span<std::uint32_t> found) const override {
    find_longest_prefixes(set_, sequences, found);
  }

 private:
  const PrefixSet& set_;
};

}  // namespace gsx

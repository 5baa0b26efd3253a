// Neighbours and prefixes found by a device, and by the CPU when it fails.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "device/searcher_and_second.hpp"
#include "search/sets/neighbors.hpp"
#include "search/sets/prefix_finder.hpp"

namespace gsx {

/// Each device gives the same lists in the same order, so the second leaves out as many as the
/// first has given.
class FallbackNeighborFinder final : public NeighborFinder {
 public:
  FallbackNeighborFinder(std::unique_ptr<NeighborFinder> first,
                         SearcherAndSecond<NeighborFinder>::Open open_second,
                         std::atomic<bool>& failed)
      : both_(std::move(first), std::move(open_second), failed) {}

  void find(const SequenceSet& first, const SequenceSet* second, const NeighborRequest& request,
            const NeighborOptions& options, const TakeNeighbors& take) override {
    std::uint64_t given = 0;
    bool in_sink = false;
    const TakeNeighbors pass_on = [&](const NeighborChunk& chunk) {
      if (chunk.end <= given) return;
      in_sink = true;
      if (chunk.begin < given) {
        take_rest(chunk, given, take);
      } else {
        take(chunk);
      }
      in_sink = false;
      given = chunk.end;
    };
    if (both_.try_first([&] { both_.first().find(first, second, request, options, pass_on); },
                        [&] { return in_sink; })) {
      return;
    }
    both_.second().find(first, second, request, options, pass_on);
  }

 private:
  /// The lists of a chunk from sequence `begin` on.
  static void take_rest(const NeighborChunk& chunk, std::uint64_t begin,
                        const TakeNeighbors& take) {
    const std::uint64_t* const from = chunk.offsets + (begin - chunk.begin);
    std::vector<std::uint64_t> offsets(from, chunk.offsets + (chunk.end - chunk.begin) + 1);
    for (std::uint64_t& offset : offsets)
      offset -= *from;
    take({begin, chunk.end, offsets.data(), chunk.others + *from});
  }

  SearcherAndSecond<NeighborFinder> both_;
};

class FallbackPrefixFinder final : public PrefixFinder {
 public:
  FallbackPrefixFinder(std::unique_ptr<PrefixFinder> first,
                       SearcherAndSecond<PrefixFinder>::Open open_second, std::atomic<bool>& failed)
      : both_(std::move(first), std::move(open_second), failed) {}

  void find(std::span<const std::string_view> sequences,
            std::span<std::uint32_t> found) const override {
    both_.count([&](const PrefixFinder& finder) { finder.find(sequences, found); });
  }

 private:
  SearcherAndSecond<PrefixFinder> both_;
};

}  // namespace gsx

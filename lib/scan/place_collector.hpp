// Gathers the places of patterns into chunks of hits, a bounded number at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scan/mismatches.hpp"

namespace gsx {

/// Takes places pattern by pattern, those of a pattern in any order, and gives them to a sink in
/// output order. Patterns with few places share a chunk. If a pattern has more places than may be
/// held, and as many are to be reported, it only counts them, and asks for them once more, sorted.
class PlaceCollector {
 public:
  /// Takes sorted places.
  using Take = std::function<void(std::span<const Hit> hits)>;
  /// Gives all places of a pattern of the batch, sorted, in as many parts as it likes.
  using Again = std::function<void(std::size_t pattern, const Take& take)>;

  PlaceCollector(const MismatchRequest& request, const SearchMemory& memory, const HitSink& sink,
                 Again again);

  /// Adds a place of the current pattern; at first, that is pattern 0.
  void take(const Hit& hit) {
    ++(hit.is_reverse() ? count_.reverse : count_.forward);
    ++classes_[hit.mismatches()];
    if (is_full_) return;
    hits_.push_back(hit);
    if (hits_.size() >= most_) make_room();
  }
  /// Ends the places of the current pattern. The next one is then current.
  void end_pattern();
  /// Gives the sink what it has not been given. Call it after the last pattern.
  void finish() { give_group(); }

 private:
  void make_room();
  void keep_own();
  void give_group();
  void give_sorted();

  const MismatchRequest request_;
  const std::uint64_t most_;   ///< hits held at a time
  const std::uint64_t group_;  ///< hits of several patterns after which a chunk ends
  const HitSink& sink_;
  const Again again_;
  std::size_t first_ = 0;      ///< the first pattern of the chunk
  std::size_t own_begin_ = 0;  ///< the first hit of the current pattern
  bool is_full_ = false;       ///< the current pattern has more hits than are held
  StrandCounts count_;         ///< of the current pattern
  std::array<std::uint64_t, most_mismatches + 1> classes_{};  ///< of the current pattern
  std::vector<Hit> hits_;
  std::vector<StrandCounts> counts_;
  std::vector<std::uint64_t> ends_;
};

}  // namespace gsx

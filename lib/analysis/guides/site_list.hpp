// Collects the sites of one kind that a guide has, from several patterns with common places.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// Places, each once, with the fewest mismatches that any pattern has there. Cost: each place given
/// is moved O(log of the number of patterns) times, and once if all patterns have the same places.
class SiteList {
 public:
  /// Adds places in output order. `spare` is memory to work with.
  void add(std::span<const Hit> places, std::vector<Hit>& spare);
  /// All places in output order.
  std::span<const Hit> settle(std::vector<Hit>& spare);
  /// Hits held.
  std::size_t size() const { return hits_.size(); }
  void clear() { *this = SiteList(); }

 private:
  std::size_t last_size() const { return hits_.size() - begins_.back(); }
  void join_last(std::vector<Hit>& spare);

  std::vector<Hit> hits_;            ///< runs that are in order
  std::vector<std::size_t> begins_;  ///< of the runs; each is over twice as long as the next
};

}  // namespace gsx

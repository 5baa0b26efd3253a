// Which hits of a query are kept where all shards together have more than --max-hits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gsx {

/// Keeps hits as a search of all shards does: those of the first classes, and of the last of these
/// the first ones. After a search with mismatches, a class is a number of mismatches. After an
/// exact one, hits of the forward strand come first, then those of the reverse strand, then those
/// that span the origin of a circular record.
class KeptHits {
 public:
  /// Adds a hit that a shard has kept.
  void add(std::size_t own_class) {
    if (own_class >= left_.size()) left_.resize(own_class + 1);
    ++left_[own_class];
  }
  /// All have been added, and `most` are to be kept.
  void keep(std::uint64_t most) {
    for (std::uint64_t& kept : left_) {
      kept = std::min(kept, most);
      most -= kept;
    }
  }
  /// Whether the next hit is kept: hits come in output order.
  bool take(std::size_t own_class) {
    std::uint64_t& left = left_[own_class];
    if (left == 0) return false;
    --left;
    return true;
  }

 private:
  std::vector<std::uint64_t> left_;  ///< hits to keep of each class
};

}  // namespace gsx

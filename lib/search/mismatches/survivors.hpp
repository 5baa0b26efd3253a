// How many places of a random text a pattern leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "search/mismatches/base_set.hpp"

namespace gsx {

/// Follows the share of the places of a random text that a pattern has not excluded yet, position
/// by position.
class Survivors {
 public:
  explicit Survivors(std::uint32_t most) : shares_(most + 1, 0.0) { shares_[0] = 1; }

  void add(BaseSet set) {
    const double match = bases_of(set) / 4.0;
    if (is_strict(set)) {
      for (double& share : shares_)
        share *= match;
      return;
    }
    for (std::size_t i = shares_.size(); i-- > 0;)
      shares_[i] = shares_[i] * match + (i == 0 ? 0 : shares_[i - 1] * (1 - match));
  }
  double share() const { return std::accumulate(shares_.begin(), shares_.end(), 0.0); }

 private:
  std::vector<double> shares_;  ///< by number of mismatches
};

}  // namespace gsx

// A way to search with mismatches, with what it costs.
#pragma once

#include <limits>
#include <string_view>

#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// One of several searchers with the same answers, of which the cheapest one is asked.
class MismatchWay : public MismatchSearcher {
 public:
  static constexpr double impossible = std::numeric_limits<double>::infinity();

  /// What the log calls it.
  virtual std::string_view name() const = 0;
  /// About how many seconds one core takes to count the patterns; `impossible` if this way cannot
  /// search them.
  virtual double cost(const SetPatterns& patterns, const MismatchRequest& request) const = 0;
};

}  // namespace gsx

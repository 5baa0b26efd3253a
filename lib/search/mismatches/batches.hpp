// Searches batches of patterns that have about as many hits as may be held.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gsx {

/// What became of a batch of patterns.
struct BatchFound {
  std::size_t complete = 0;   ///< patterns from its first one on whose hits were held, and given
  std::uint64_t fitting = 1;  ///< so many patterns with as many hits can be held
};

/// Searches patterns [first, last), `at_once` of them at first: search(first, end) gives the hits
/// of those that could be held whole. The next batch is as large as was found to fit, but at most
/// four times the last one, and a quarter if not even the first pattern was complete. A pattern
/// that alone has too many hits goes to search_alone(pattern).
template <class Search, class SearchAlone>
void search_in_batches(std::size_t first, std::size_t last, std::size_t at_once,
                       const Search& search, const SearchAlone& search_alone) {
  while (first < last) {
    const std::size_t some = std::min(at_once, last - first);
    const BatchFound found = search(first, first + some);
    if (found.complete > 0) {
      first += found.complete;
      at_once = static_cast<std::size_t>(std::clamp<std::uint64_t>(found.fitting, 1, 4 * at_once));
    } else if (some > 1) {
      at_once = std::max<std::size_t>(1, some / 4);
    } else {
      search_alone(first++);
    }
  }
}

}  // namespace gsx

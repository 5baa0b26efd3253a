#include "analysis/primers/products.hpp"

namespace gsx {

std::vector<std::uint64_t> ProductFinder::count() const {
  const std::size_t classes = rules_.mismatches + 1;
  std::vector<std::uint64_t> totals(2 * classes - 1, 0);
  for (const Roles& of : roles) {
    const std::vector<Hit>& starts = places_[of.start]->starts;
    const std::uint64_t least = least_of(of);
    EndsWithin within(places_[of.end]->ends, rules_.mismatches);
    std::uint64_t record = 0;
    for (const Hit& start : starts) {
      const std::uint64_t at = start.position();
      record = axis_.record_from(record, at);
      within.move(at + least, axis_.last_end(record, at, rules_.most));
      for (std::size_t m = 0; m < classes; ++m)
        totals[start.mismatches() + m] += within[m];
    }
  }
  return totals;
}

}  // namespace gsx

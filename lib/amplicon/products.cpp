#include "amplicon/products.hpp"

namespace gsx {

std::vector<std::uint64_t> ProductFinder::count() const {
  const std::size_t classes = rules_.mismatches + 1;
  std::vector<std::uint64_t> totals(2 * classes - 1, 0);
  for (const Roles& of : roles) {
    const std::vector<Hit>& starts = places_[of.start]->starts;
    const std::vector<Hit>& ends = places_[of.end]->ends;
    const std::uint64_t least = least_of(of);
    // The ends that starts reach, by their mismatches.
    std::vector<std::uint64_t> within(classes, 0);
    std::uint64_t record = 0;
    std::size_t first = 0, last = 0;
    for (const Hit& start : starts) {
      const std::uint64_t at = start.position();
      record = axis_.record_from(record, at);
      const std::uint64_t limit = axis_.last_end(record, at, rules_.most);
      for (; last < ends.size() && ends[last].position() <= limit; ++last)
        ++within[ends[last].mismatches()];
      for (; first < last && ends[first].position() < at + least; ++first)
        --within[ends[first].mismatches()];
      for (std::size_t m = 0; m < classes; ++m)
        totals[start.mismatches() + m] += within[m];
    }
  }
  return totals;
}

}  // namespace gsx

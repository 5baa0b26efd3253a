#include "search/edits/end_collector.hpp"

#include <algorithm>

namespace gsx {

void EndCollector::make_room() {
  std::uint32_t limit = wanted_->limit();
  std::vector<std::uint64_t> held(limit, 0);
  for (const EditEnd& end : ends_)
    if (end.pattern() < limit) ++held[end.pattern()];
  std::uint64_t kept = 0;
  std::uint32_t fitting = 0;
  while (fitting < limit && kept + held[fitting] <= room_ / 2)
    kept += held[fitting++];
  wanted_->lower_limit(fitting);
  limit = wanted_->limit();
  std::erase_if(ends_, [limit](const EditEnd& end) { return end.pattern() >= limit; });
}

std::vector<EditEnd> grouped_ends(std::span<EndCollector> collectors, std::size_t patterns,
                                  std::vector<std::uint64_t>& ends_of) {
  std::vector<std::uint64_t> next(patterns + 1, 0);
  for (EndCollector& collector : collectors)
    for (const EditEnd& end : collector.ends())
      if (end.pattern() < patterns) ++next[end.pattern() + 1];
  for (std::size_t i = 1; i <= patterns; ++i)
    next[i] += next[i - 1];
  ends_of.assign(next.begin() + 1, next.end());
  std::vector<EditEnd> grouped(next[patterns]);
  for (EndCollector& collector : collectors) {
    for (const EditEnd& end : collector.ends())
      if (end.pattern() < patterns) grouped[next[end.pattern()]++] = end;
    std::vector<EditEnd>().swap(collector.ends());
  }
  return grouped;
}

}  // namespace gsx

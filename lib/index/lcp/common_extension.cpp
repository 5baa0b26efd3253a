#include "index/lcp/common_extension.hpp"

#include <span>
#include <utility>

namespace gsx {

CommonExtensions::CommonExtensions(const SegmentsView& segments, InverseSuffixArray rows,
                                   const LcpArray& lcp, int threads)
    : segments_(segments), rows_(std::move(rows)), lcp_(lcp) {
  lcp.visit([&]<class W>(const SmallNumbersView<W>& view) {
    const std::uint64_t large = view.size == 0 ? 0 : view.escapes_before(view.size);
    of_bytes_ = RangeMinima<std::uint8_t>(std::span(view.bytes, view.size), threads);
    of_large_ = RangeMinima<W>(std::span(view.large, large), threads);
  });
}

std::uint64_t CommonExtensions::operator()(std::uint64_t p, std::uint64_t q) const {
  std::uint64_t first = rows_[p], last = rows_[q];
  if (first == last) return segments_.separator_from(p) - p;
  if (first > last) std::swap(first, last);
  return lcp_.visit([&]<class W>(const SmallNumbersView<W>& view) -> std::uint64_t {
    const std::uint8_t least = of_bytes_.view().minimum(first + 1, last + 1);
    if (least != view.escape) return least;
    const std::uint64_t begin = view.escapes_before(first + 1);
    return std::get<RangeMinima<W>>(of_large_).view().minimum(begin, begin + last - first);
  });
}

}  // namespace gsx

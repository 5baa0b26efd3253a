// How far two positions of a text agree, whatever the length.
#pragma once

#include <cstdint>
#include <variant>

#include "arrays/minima/range_minima.hpp"
#include "base/export.hpp"
#include "index/lcp/lcp_array.hpp"
#include "index/sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Longest common extensions of two positions: two suffixes agree on as many symbols as the rows
/// between theirs do (Fischer and Heun, SIAM J. Comput. 2011, section 1). So a query costs two
/// look-ups in the inverse suffix array and a range minimum, however long the extension is.
///
/// The minimum is first looked for among the bytes of the LCP array. If no byte holds it, all
/// values of the range are among the large ones, one after another, and it is looked for there.
/// Memory: of a text of n symbols, the inverse suffix array (4 bytes per symbol, 8 from 2^32 on),
/// and minima of 0.13 bytes per symbol and 0.34 per large value.
class GSX_API CommonExtensions {
 public:
  /// Refers to the text's segments and to `lcp`, which must stay. Pre: all belong to one text.
  /// Throws ResourceError.
  CommonExtensions(const SegmentsView& segments, InverseSuffixArray rows, const LcpArray& lcp,
                   int threads);
  CommonExtensions(const SegmentsView&, InverseSuffixArray, LcpArray&&, int) = delete;

  /// The number of symbols on which the suffixes at p and q agree. Pre: p and q are below the
  /// length of the text. Cost: some six random lines of memory.
  std::uint64_t operator()(std::uint64_t p, std::uint64_t q) const;

 private:
  SegmentsView segments_;
  InverseSuffixArray rows_;
  const LcpArray& lcp_;
  RangeMinima<std::uint8_t> of_bytes_;
  std::variant<RangeMinima<std::uint32_t>, RangeMinima<std::uint64_t>> of_large_;
};

}  // namespace gsx

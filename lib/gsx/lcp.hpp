// What the suffixes of a text have in common.
#pragma once

#include <cstdint>
#include <span>

#include "base/export.hpp"
#include "gsx/text.hpp"
#include "index/lcp/common_extension.hpp"
#include "index/lcp/lcp_array.hpp"
#include "index/sa/suffix_array.hpp"

namespace gsx {

/// The LCP array of a text: entry r is the number of symbols that the suffixes in rows r - 1 and r
/// of `rows`, the suffix array of the text, have in common. `threads` is 0 for as many as this
/// process may run. Throws UsageError if `rows` lacks some rows, ResourceError. Cost: about 14 ns
/// per base of human DNA on one thread; linear for any text. Memory: 1.03 bytes per symbol, and 4
/// for each value of 255 and more (8 from 2^32 symbols on); while it is built, up to 12 more for
/// each value of 58 and more.
GSX_API LcpArray lcp_array(const Text& text, const SuffixArray& rows, int threads = 0);

/// The same of bytes and what suffix_array() of gsx/suffix_array.hpp gives of them. Throws
/// UsageError for more than 255 different byte values, too.
GSX_API LcpArray lcp_array(std::span<const std::uint8_t> bytes, const SuffixArray& rows,
                           int threads = 0);

/// Answers how far any two positions of the text agree. Refers to `text` and `lcp`, the LCP array
/// that belongs to `rows`. Throws UsageError if `rows` or `lcp` lacks some rows, ResourceError.
GSX_API CommonExtensions common_extensions(const Text& text, const SuffixArray& rows,
                                           const LcpArray& lcp, int threads = 0);

}  // namespace gsx

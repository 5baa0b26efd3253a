// Checking in linear time whether an array is the LCP array of a text.
#pragma once

#include <cstdint>
#include <optional>

#include "index/lcp/lcp_array.hpp"
#include "index/sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Returns a row whose value is wrong, or nothing if `lcp` is the LCP array of `text`. Pre: `sa` is
/// its suffix array (index/sa/checker.hpp), and the sizes are equal.
///
/// Goes through the text in order of positions, as Kasai et al. (Linear-time longest-common-prefix
/// computation in suffix arrays and its applications, CPM 2001) compute the values: a suffix agrees
/// with that of the row before on at least as many symbols as the suffix one symbol longer does,
/// less one; so only what is beyond that is compared, and the symbol that must differ.
/// Cost: O(n) time; memory: two entries per symbol.
std::optional<std::uint64_t> find_wrong_lcp(const TextView& text, const SuffixArray& sa,
                                            const LcpArray& lcp, int threads);

}  // namespace gsx

// The inverse of a suffix array.
#pragma once

#include "sa/suffix_array.hpp"

namespace gsx {

/// The inverse of `rows`, in entries of the same width. Throws UsageError for a row that is not
/// below their number, as where some rows have been left out; ResourceError. Pre: no position
/// occurs twice. Memory: that of `rows` once more. Cost: one random write per row, shared by the
/// threads.
InverseSuffixArray invert(const SuffixArray& rows, int threads);

}  // namespace gsx

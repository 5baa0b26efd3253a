// The inverse of a suffix array.
#pragma once

#include "index/sa/suffix_array.hpp"

namespace gsx {

/// The inverse of `sa`, in entries of the same width. Throws UsageError for an entry that is not
/// below the number of entries, which happens if some rows were left out; ResourceError. Pre: no
/// position occurs twice. Memory: that of `sa` once more. Cost: one random write per row, shared by
/// the threads.
InverseSuffixArray invert(const SuffixArray& sa, int threads);

}  // namespace gsx

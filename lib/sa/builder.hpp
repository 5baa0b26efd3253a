// The suffix array on CPU threads.
#pragma once

#include "base/progress.hpp"
#include "sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The suffix array of `text`, in the total order in which every separator is distinct.
///
/// Only the suffixes whose first symbol is below the second are sorted (3 in 8 of random DNA); the
/// others are induced from them in one pass (Inducer). Suffixes to be sorted are distributed by
/// their leading bits and each bucket is sorted by 64-bit keys (29 bases for DNA); suffixes that
/// are still equal fetch their next key from the text; what is equal for long is ordered by the
/// ranks of a sparse sample of positions (SampleRanks), so that no input takes more than
/// O(n log n) work.
/// Cost: 4 bytes a symbol for the result (8 from 2^32 on), 1 for the BWT and about a quarter; with
/// repeats 5.3 (near-identical copies) to 9.9 (a period of two symbols) in all; about 2.5 MiB a
/// thread. 27 ns a base of human DNA and 40 ns a letter of protein, on one core of 2023.
/// Throws ResourceError.
SuffixArray build_suffix_array(const TextView& text, int threads,
                               PositionWidth width = PositionWidth::automatic,
                               const ProgressReport& progress = {});

/// A suffix array and its BWT.
struct SuffixOrder {
  SuffixArray rows;
  Buffer<std::uint8_t> before;  ///< code before each row's suffix, 0xFF for a separator
};

/// build_suffix_array with the BWT, which the builder has anyway.
SuffixOrder build_suffix_order(const TextView& text, int threads,
                               PositionWidth width = PositionWidth::automatic,
                               const ProgressReport& progress = {});

}  // namespace gsx

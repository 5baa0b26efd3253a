// The suffix array on CPU threads.
#pragma once

#include "base/progress.hpp"
#include "sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The suffix array of `text`, in the total order in which every separator is distinct.
///
/// Packed keys first, then text, then ranks: suffixes are distributed by their leading bits and
/// each bucket is sorted by 64-bit keys (29 bases for DNA); suffixes that are still equal fetch
/// their next key from the text; what is equal for long is finished by prefix doubling on the
/// inverse suffix array (Larsson and Sadakane, 2007), so that no input takes more than
/// O(n log n) work.
/// Cost: 4 bytes a symbol for the result (8 from 2^32 on) and, while doubling, as much again
/// and n/4 bytes; about 1.5 MiB a thread. Throws ResourceError.
SuffixArray build_suffix_array(const TextView& text, int threads,
                               PositionWidth width = PositionWidth::automatic,
                               const ProgressReport& progress = {});

/// Peak bytes that build_suffix_array takes, the result included, for a text of n symbols.
std::uint64_t suffix_array_bytes(std::uint64_t length, int threads, PositionWidth width);

}  // namespace gsx

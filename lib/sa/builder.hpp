// The suffix array on CPU threads.
#pragma once

#include <cstdint>

#include "base/progress.hpp"
#include "sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The suffix array of `text`, in the total order in which every separator is distinct.
///
/// Only B* suffixes are sorted (BStarScan: 3 in 10 of most texts); the others are induced from them
/// in two passes (InducedSorter). B* suffixes are distributed by the leading bits of keys of about
/// 60 bits (AlphabeticCode: 28 bases of DNA, 16 letters of English), and each bucket is sorted in a
/// core's cache; suffixes that are still equal fetch their next keys from the text; what is equal
/// for long is ordered by the ranks of B* suffixes further on (BStarRanks) or, where most is, of a
/// sparse sample of positions (SyncmerRanks), so that no input takes more than O(n log n) work.
/// Cost: 4 bytes a symbol for the result (8 from 2^32 on), 1 for the BWT, 1 more for alphabets of
/// more than 8 symbols, and 1.3 for the B* suffixes; with repeats 5.9 (near-identical copies)
/// to 9.8 (a period of two symbols) in all; about 2.5 MiB a thread. 25 ns a base of human DNA, 28
/// ns a letter of protein and 45 ns one of English, on one busy core of 2023. Throws ResourceError.
SuffixArray build_suffix_array(const TextView& text, int threads,
                               PositionWidth width = PositionWidth::automatic,
                               const ProgressReport& progress = {});

/// Whether sorting may come to rank samples, which takes memory, in a text of so many symbols and
/// at most so many B* suffixes. Where these are rare, samples are no fewer, and in runs many more.
constexpr bool may_rank_syncmers(std::uint64_t stars, std::uint64_t length) {
  return 5 * stars > length;
}

/// A suffix array and its BWT.
struct SaAndBwt {
  SuffixArray sa;
  Buffer<std::uint8_t> bwt;  ///< the code before each row's suffix, 0xFF for a separator
};

/// build_suffix_array with the BWT, which the builder has anyway.
SaAndBwt build_sa_and_bwt(const TextView& text, int threads,
                          PositionWidth width = PositionWidth::automatic,
                          const ProgressReport& progress = {});

}  // namespace gsx

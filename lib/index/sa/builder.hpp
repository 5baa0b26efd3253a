// The suffix array on CPU threads.
#pragma once

#include <cstdint>

#include "base/progress.hpp"
#include "index/sa/suffix_array.hpp"
#include "index/sa/tuning.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The suffix array of `text`, in the total order in which all separators are distinct.
///
/// The builder sorts only the B* suffixes (BStarScan; 3 in 10 of most texts) and induces all others
/// from them in two passes (induce_suffix_array). It distributes the B* suffixes by the leading
/// bits of keys of about 60 bits (AlphabeticCode: 28 bases of DNA, 16 letters of English) and sorts
/// each bucket in the cache of one core. Suffixes that are still equal fetch their next keys from
/// the text. Suffixes that agree on long stretches are sorted by the ranks of later B* suffixes
/// (BStarRanks) or, where most are tied, by the ranks of syncmers (SyncmerRanks). Where a sample
/// says that most suffixes agree with others, one copy of each phrase is sorted instead
/// (PhraseSorter). So no text takes more than O(n log n) work. README.md in this folder explains
/// the algorithm with a picture and an example.
///
/// Memory: 4 bytes per symbol for the result (8 from 2^32 symbols on), 1 for the BWT, 1 more for
/// alphabets of more than 8 symbols, and 1.3 for the B* suffixes. With repeats the total, with the
/// text, is between 5.5 (a run) and 9.6 (man pages); a period of two symbols takes 8.0. Each thread
/// adds about 2.5 MiB.
/// Time: 10 ns per base of human DNA with AVX-512, 15 without, 24 ns per letter of protein and 34
/// ns per letter of English, on one busy core of 2024. Throws ResourceError.
/// Without `with_phrases`, PhraseSorter is left out, which takes up to three bytes per symbol more
/// than the others.
SuffixArray build_suffix_array(const TextView& text, int threads,
                               PositionWidth width = PositionWidth::automatic,
                               const ProgressReport& progress = {}, bool with_phrases = true);

/// Whether the builder may rank syncmers, which takes memory, for a text of `length` symbols with
/// at most `bstars` B* suffixes. Where B* suffixes are rare, syncmers are not fewer, and in runs of
/// one symbol they are many more.
constexpr bool may_rank_syncmers(std::uint64_t bstars, std::uint64_t length) {
  return sa_tuning::least_bstar_share * bstars > length;
}

/// A suffix array and the BWT of the same text.
struct SaAndBwt {
  SuffixArray sa;
  Buffer<std::uint8_t> bwt;  ///< the code before the suffix of each row, 0xFF for a separator
};

/// Does what build_suffix_array() does and returns the BWT too, which costs nothing more.
SaAndBwt build_sa_and_bwt(const TextView& text, int threads,
                          PositionWidth width = PositionWidth::automatic,
                          const ProgressReport& progress = {}, bool with_phrases = true);

}  // namespace gsx

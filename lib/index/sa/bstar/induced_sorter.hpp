// The order of all suffixes from the order of the B* suffixes.
#pragma once

#include <cstdint>

#include "index/sa/bstar/bigram_buckets.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The memory that induced sorting works on, one entry per row each.
template <class Pos>
struct InductionArrays {
  Pos* sa;             ///< becomes the suffix array
  std::uint8_t* low;   ///< low bytes of the left contexts; becomes the BWT, 0xFF for separators
  std::uint8_t* high;  ///< high bytes of the left contexts, or null where these take one byte
};

/// Puts the sorted B* suffixes at the starts of their bigram buckets. `all` are the buckets of all
/// suffixes, `bstar` says where the B* suffixes of each bigram stand in `suffixes`. The last
/// entries of arrays.low and arrays.high hold the left contexts of the B* suffixes, in order.
template <class Pos>
void place_bstar_suffixes(const TextView& text, const BigramBuckets& all,
                          const BigramBuckets& bstar, const Pos* suffixes,
                          const InductionArrays<Pos>& arrays, int threads);

/// Two-stage sorting (Itoh and Tanaka, 1999, with Mori's B*). Let [a b] be the bucket of the
/// suffixes that begin with a, b. Within the rows of one symbol, type A comes before type B; within
/// [a b] with a < b, the B* suffixes come before the other suffixes of type B.
/// - The first pass goes down through all rows of type B, from the largest symbol b on. When the
///   suffixes of b are in order, so are the suffixes of type B that are one symbol longer, among
///   those of one bucket. So a suffix of b that follows symbol c, c <= b, puts the longer suffix
///   into the last free row of [c b]. Bucket [b b] grows while it is read.
/// - The second pass goes up through all rows, beginning with the separators, and in the same way
///   fills each [c b] with c > b from its start. The rows of type A of [b b] grow while they are
///   read.
///
/// Each row is written once, and writes go to few places at a time. A row carries its left context
/// (LeftContext), so that few rows need the text. All threads work on blocks of rows: a thread
/// first reads the contexts of a block; when the places of all earlier blocks are known, it writes.
/// In a text of at most 8 symbols a CPU with AVX-512 passes 16 rows at a time (pass_rows).
/// Pre: place_bstar_suffixes() has been called.
template <class Pos>
void induce_suffix_array(const TextView& text, const BigramBuckets& buckets,
                         const InductionArrays<Pos>& arrays, int threads);

}  // namespace gsx

// The lengths of common prefixes that are too long to compare one by one.
#pragma once

#include <cstdint>
#include <span>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "index/sa/ranks/rank_bit_vector.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Pairs of suffixes, and the length of the longest common prefix of each, found by position.
///
/// Where p and its partner agree on l symbols, p + 1 has a partner that it agrees with on at least
/// l - 1, if it has one (Kasai et al., Linear-time longest-common-prefix computation in suffix
/// arrays and its applications, CPM 2001, in the order of positions as Kärkkäinen, Manzini and
/// Puglisi, Permuted longest-common-prefix array, CPM 2009, section 2). So walking through the
/// positions in order, no symbol is compared twice, but for one long prefix per slice. Memory: 1.33
/// bits per symbol of the text, and one entry per pair. Cost: O(n).
template <class Pos>
class LongPrefixes {
 public:
  /// Pre: the positions differ; the suffixes at positions[i] and partners[i] agree on at least
  /// `known` symbols; all partners are the nearest suffixes above, in the suffix array, of a set
  /// that holds p + 1 with p, or all the nearest below.
  LongPrefixes(const TextView& text, std::span<const Pos> positions, std::span<const Pos> partners,
               std::uint64_t known, int threads);

  /// Bytes for so many pairs of a text of `length` symbols.
  static std::uint64_t bytes(std::uint64_t length, std::uint64_t pairs) {
    return length / 6 + pairs * sizeof(Pos);
  }

  /// The length for the pair of position p, or 0 if there is none.
  std::uint64_t length_at(std::uint64_t p) const {
    return marks_.marked(p) ? lengths_[marks_.rank(p)] : 0;
  }
  /// Sets lengths[i] to the length for positions[i]. These may be the partners given.
  void copy_lengths(std::span<const Pos> positions, std::span<Pos> lengths) const;

 private:
  template <class Work>
  void each_slice(std::uint64_t size, const Work& work) const;
  template <class Work>
  void each_place(std::span<const Pos> positions, const Work& work) const;
  void measure(const TextView& text, Slice slice, std::uint64_t known);

  int threads_;
  RankBitVector marks_;
  Buffer<Pos> lengths_;  ///< in the order of positions; at first the partners
};

}  // namespace gsx

// Looks words that are shorter than a k-mer up in the table of k-mers.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "index/fm/kmer_view.hpp"

namespace gsx {

/// Where the bounds of the k-mers stand that begin with one word.
struct WordBounds {
  std::uint64_t first;
  std::uint64_t last;  ///< the end of the last k-mer
};

/// Those of codes [begin, end) of a strand: of one word in the order of words. Pre: 0 < end - begin
/// < k, no code is outside the alphabet.
template <class Strand, class Offset>
GSX_HD WordBounds word_bounds(const KmerView& kmers, const Strand& strand, Offset begin,
                              Offset end) {
  std::uint64_t word = 0, width = kmers.sigma + 1;
  for (Offset i = begin; i < end; ++i)
    word = word * kmers.sigma + strand[i];
  for (Offset length = end - begin + 1; length < kmers.k; ++length)
    width *= kmers.sigma;
  return {word * width, word * width + width - 1};
}

/// Sets `rows` to the interval of a word, or returns false if the table does not tell it.
///
/// Before the first k-mer of word w, behind the last one of the word before it, are the rows of
/// suffixes shorter than k: of w, wA, ..., where A is code 0, and of u where w = uA, or uAA, ... So
/// the table tells all but words that end in code 0 and have such rows before them.
/// Cost: two memory accesses, close to each other but for short words.
template <class Pos>
GSX_HD bool word_interval(const KmerView& kmers, const WordBounds& word, std::uint32_t last_code,
                          Interval<Pos>& rows) {
  const std::uint64_t begin = word.first == 0 ? 0 : kmers.bounds[word.first - 1];
  rows = {static_cast<Pos>(begin), static_cast<Pos>(kmers.bounds[word.last])};
  return last_code != 0 || begin == kmers.bounds[word.first];
}

}  // namespace gsx

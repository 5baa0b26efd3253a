// The shortest unique k-mer at each position, and what there is of k-mers for every k.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/mappability/kmer_values.hpp"
#include "analysis/mappability/palindromes.hpp"
#include "analysis/mappability/shared_lengths.hpp"
#include "base/memory_growth.hpp"
#include "text/both_strands.hpp"

namespace gsx {

/// The least k for which the k-mer at a position occurs nowhere else, on either strand.
template <class Pos>
class UniqueLengths {
 public:
  /// Refers to the text. Takes the palindromes of the text if it has two strands.
  UniqueLengths(const BothStrandsView& text, const SharedLengths& shared,
                const Palindromes<Pos>* palindromes)
      : text_(text), shared_(shared), palindromes_(palindromes) {}

  /// Calls on_length(p, k) for each p of [begin, end), in order, with the least k, or 0 where the
  /// segment ends before its k-mers get unique. Pre: end <= text.half.
  template <class OnLength>
  void for_each(std::uint64_t begin, std::uint64_t end, const OnLength& on_length) const;
  /// Sets values[i] to the least k at begin + i, or to `none` where for_each() gives 0 or a k that
  /// is not below `none`. Pre: none > 255. Cost: 1 ns per position, and that of for_each() where
  /// strings of 255 symbols repeat, or where palindromes are as long as the unique k-mers.
  void fill(std::uint64_t begin, std::span<std::uint32_t> values, std::uint32_t none) const;

 private:
  static constexpr std::uint64_t block = 64;  ///< positions that fill() takes at a time

  bool fill_plain(std::uint64_t begin, std::uint64_t separator, const std::uint8_t* forward,
                  const std::uint8_t* reverse, std::uint32_t* values) const;
  std::uint64_t length_at(std::uint64_t p, std::uint64_t separator, std::uint64_t forward,
                          std::uint64_t reverse) const;

  const BothStrandsView text_;
  const SharedLengths& shared_;
  const Palindromes<Pos>* palindromes_;
};

/// The counts for k from 1 on, up to the k from which on all k-mers are unique. Memory: 24 bytes
/// for each k up to the largest number of symbols that two suffixes share.
class KmerSpectrum {
 public:
  /// By k, from 0 on: `distinct` and `unique` say how many places less than k-mers there are, as
  /// kmer_spectrum() finds them.
  KmerSpectrum(std::vector<std::uint64_t> not_distinct, std::vector<std::uint64_t> not_unique,
               std::vector<std::uint64_t> totals);

  std::uint64_t size() const { return size_; }
  /// The counts for k = i + 1.
  KmerCounts operator[](std::uint64_t i) const;

 private:
  std::vector<std::uint64_t> not_distinct_, not_unique_, totals_;
  std::uint64_t size_ = 0;
};

/// Asks `require` for its memory. Cost: a pass over the lengths.
template <class Pos>
KmerSpectrum kmer_spectrum(const BothStrandsView& text, const SharedLengths& shared,
                           const Palindromes<Pos>* palindromes, int threads,
                           const RequireMemory& require = {});

template <class Pos>
template <class OnLength>
void UniqueLengths<Pos>::for_each(std::uint64_t begin, std::uint64_t end,
                                  const OnLength& on_length) const {
  constexpr std::uint64_t at_once = 1024;
  std::uint64_t reverse[at_once];
  if (!shared_.reverse) std::fill_n(reverse, std::min(end - begin, at_once), 0);
  std::uint64_t separator = begin < end ? text_.text.segments.separator_from(begin) : 0;
  for (std::uint64_t first = begin; first < end; first += at_once) {
    const std::uint64_t behind = end - first < at_once ? end : first + at_once;
    if (shared_.reverse) {
      shared_.reverse->for_each(
          first, behind, [&](std::uint64_t p, std::uint64_t value) { reverse[p - first] = value; });
    }
    shared_.forward.for_each(first, behind, [&](std::uint64_t p, std::uint64_t value) {
      if (p > separator) separator = text_.text.segments.separator_from(p);
      on_length(p, length_at(p, separator, value, reverse[p - first]));
    });
  }
}

template <class Pos>
void UniqueLengths<Pos>::fill(std::uint64_t begin, std::span<std::uint32_t> values,
                              std::uint32_t none) const {
  const auto bytes_of = [](const SmallNumbers& numbers) {
    return numbers.visit([](const auto& view) { return view.bytes; });
  };
  static constexpr std::uint8_t no_reverse[block] = {};
  const std::uint8_t* const forward = bytes_of(shared_.forward);
  const std::uint8_t* const reverse = shared_.reverse ? bytes_of(*shared_.reverse) : nullptr;
  const std::uint64_t end = begin + values.size();
  std::uint64_t separator = begin < end ? text_.text.segments.separator_from(begin) : 0;
  for (std::uint64_t first = begin; first < end; first += block) {
    if (first > separator) separator = text_.text.segments.separator_from(first);
    std::uint32_t* const to = values.data() + (first - begin);
    if (end - first >= block && fill_plain(first, separator, forward + first,
                                           reverse != nullptr ? reverse + first : no_reverse, to))
      continue;
    for_each(first, end - first < block ? end : first + block,
             [&](std::uint64_t p, std::uint64_t k) {
               to[p - first] = k == 0 || k >= none ? none : static_cast<std::uint32_t>(k);
             });
  }
}

/// Fills a block, unless its values may be of another kind than what is shared and one more.
template <class Pos>
bool UniqueLengths<Pos>::fill_plain(std::uint64_t begin, std::uint64_t separator,
                                    const std::uint8_t* forward, const std::uint8_t* reverse,
                                    std::uint32_t* values) const {
  std::uint8_t most_forward = 0, most_reverse = 0, least_forward = SmallNumbers::escape;
  for (std::uint64_t i = 0; i < block; ++i) {
    most_forward = forward[i] > most_forward ? forward[i] : most_forward;
    most_reverse = reverse[i] > most_reverse ? reverse[i] : most_reverse;
    least_forward = forward[i] < least_forward ? forward[i] : least_forward;
  }
  const std::uint64_t most = most_forward > most_reverse ? most_forward : most_reverse;
  if (most == SmallNumbers::escape || begin + block + most > separator) return false;
  // One that begins at p and is longer than `forward` has its centre above p + forward / 2.
  const std::uint64_t radius = least_forward / 2 + 1;
  if (palindromes_ != nullptr && least_forward < most_reverse &&
      palindromes_->reach(begin + radius, begin + block + most_reverse / 2, radius))
    return false;
  for (std::uint64_t i = 0; i < block; ++i)
    values[i] = (forward[i] > reverse[i] ? forward[i] : reverse[i]) + std::uint32_t{1};
  return true;
}

template <class Pos>
std::uint64_t UniqueLengths<Pos>::length_at(std::uint64_t p, std::uint64_t separator,
                                            std::uint64_t forward, std::uint64_t reverse) const {
  std::uint64_t least = (forward > reverse ? forward : reverse) + 1;
  if (p + least > separator) least = 0;
  // A k-mer that is its own reverse complement is on the other strand, too, at the same place.
  if (palindromes_ != nullptr && forward < reverse) {
    bool found = false;
    palindromes_->for_each_at(p, forward, reverse, [&](std::uint64_t k) {
      if (!found) least = k;
      found = true;
    });
  }
  return least;
}

}  // namespace gsx

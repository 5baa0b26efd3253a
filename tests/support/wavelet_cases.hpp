// Arrays of integers of any alphabet, and what is asked of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "arrays/wavelet/wavelet_sequence.hpp"
#include "support/texts.hpp"

namespace gsx::testing {

inline constexpr WaveletShape wavelet_shapes[] = {WaveletShape::balanced, WaveletShape::huffman};

/// What an array is asked, and what it answers.
struct WaveletQuestions {
  std::vector<std::uint64_t> values, positions, numbers;
  std::vector<std::uint64_t> at, rank, select;  ///< at: of positions below the size only
};

/// For every position: its value, how often that and another value occur before it, and where the
/// next and the last of that value are.
template <class Value>
WaveletQuestions questions_of(const std::vector<Value>& array) {
  WaveletQuestions asked;
  std::map<Value, std::vector<std::uint64_t>> places;
  for (std::uint64_t i = 0; i < array.size(); ++i)
    places[array[i]].push_back(i);
  std::vector<Value> some;
  for (const auto& [value, where] : places)
    some.push_back(value);
  const auto ask = [&](std::uint64_t value, std::uint64_t position) {
    const auto found = places.find(static_cast<Value>(value));
    const bool occurs = found != places.end() && found->first == value;
    std::uint64_t before = 0, place = WaveletSequenceView::not_found;
    if (occurs) {
      const auto& where = found->second;
      before = static_cast<std::uint64_t>(std::lower_bound(where.begin(), where.end(), position) -
                                          where.begin());
      if (before < where.size()) place = where[before];
    }
    asked.values.push_back(value);
    asked.positions.push_back(position);
    asked.numbers.push_back(before);
    asked.rank.push_back(before);
    asked.select.push_back(place);
  };
  for (std::uint64_t i = 0; i < array.size(); ++i) {
    asked.at.push_back(array[i]);
    ask(array[i], i);
    ask(some[i % some.size()], i);
    ask(std::uint64_t{array[i]} + 1, i);
  }
  for (const Value value : some)
    ask(value, array.size());
  ask(~std::uint64_t{0} - 1, array.size());
  return asked;
}

/// `size` numbers below `sigma`; with `skewed`, small ones are much more frequent.
template <class Value>
std::vector<Value> skewed_numbers(Random& random, std::uint64_t size, std::uint64_t sigma,
                                  bool skewed) {
  std::vector<Value> array(size);
  for (auto& value : array) {
    std::uint64_t bound = sigma;
    while (skewed && bound > 1 && below(random, 2) == 0)
      bound = bound / 2 + 1;
    value = static_cast<Value>(below(random, std::min(bound, sigma)));
  }
  return array;
}

}  // namespace gsx::testing

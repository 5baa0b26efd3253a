// Sets of short sequences for tests, and what a look at every pair finds in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "search/sets/set_builder.hpp"
#include "support/texts.hpp"

namespace gsx::testing {

/// Sequences and their counts, in alphabetical order.
using CountedSequences = std::map<std::string, std::uint64_t>;

inline SequenceSet make_set(const CountedSequences& sequences, int threads = 1) {
  SetBuilder builder(threads);
  for (const auto& [sequence, count] : sequences) {
    std::uint64_t words[most_key_words];
    SequenceBlock block;
    block.length = static_cast<std::uint32_t>(sequence.size());
    const SequenceShape shape{block.length, encode_sequence(sequence, words)};
    KeyList& list = shape.bits == 2 ? block.plain : block.odd;
    list.words.assign(words, words + shape.words());
    list.counts = {count};
    builder.add(std::move(block));
  }
  return builder.finish();
}

inline std::vector<std::string> sequences_of(const CountedSequences& sequences) {
  std::vector<std::string> all;
  for (const auto& entry : sequences)
    all.push_back(entry.first);
  return all;
}

inline unsigned naive_distance(std::string_view a, std::string_view b) {
  unsigned distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    distance += a[i] != b[i] ? 1 : 0;
  return distance;
}

/// Up to `wanted` sequences of one length: random ones, and ones that differ from others in few
/// symbols, so that some have neighbours whatever the length is.
inline CountedSequences related_sequences(Random& random, std::uint64_t length,
                                          std::uint64_t wanted, std::string_view letters) {
  std::vector<std::string> all{random_string(random, length, letters)};
  while (all.size() < wanted) {
    std::string next = all[below(random, all.size())];
    if (below(random, 8) == 0) next = random_string(random, length, letters);
    for (std::uint64_t changes = below(random, 4); changes > 0; --changes)
      next[below(random, length)] = letters[below(random, letters.size())];
    all.push_back(next);
  }
  CountedSequences counted;
  for (const std::string& sequence : all)
    counted[sequence] += below(random, 3) == 0 ? below(random, 40) + 1 : 1;
  return counted;
}

/// All sequences of some length over two to four letters, behind a prefix.
inline CountedSequences dense_sequences(Random& random, const std::string& prefix,
                                        std::uint64_t length, std::string_view letters) {
  std::vector<std::string> all{prefix};
  for (std::uint64_t i = 0; i < length; ++i) {
    std::vector<std::string> longer;
    for (const std::string& sequence : all)
      for (const char letter : letters)
        longer.push_back(sequence + letter);
    all = longer;
  }
  CountedSequences counted;
  for (const std::string& sequence : all)
    counted[sequence] = below(random, 5) + 1;
  return counted;
}

}  // namespace gsx::testing

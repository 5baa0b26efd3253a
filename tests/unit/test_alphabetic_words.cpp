// Words of alphabetic codes: free of prefixes, in order, of at most 12 bits, short where frequent.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "index/sa/alphabetic_words.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::vector<AlphabeticWord> words_for(const std::vector<std::uint64_t>& weights) {
  std::vector<AlphabeticWord> words(weights.size());
  assign_words(weights, words);
  return words;
}

void check_words(const std::vector<AlphabeticWord>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    REQUIRE(word_length(words[i]) >= 1);
    REQUIRE(word_length(words[i]) <= alphabetic_word_bits);
    // No bits behind the word.
    REQUIRE((word_bits(words[i]) << word_length(words[i])) == 0);
    if (i == 0) continue;
    // The first bits of the next word are larger: neither is a prefix of the other.
    const std::uint32_t shorter = std::min(word_length(words[i - 1]), word_length(words[i]));
    REQUIRE((word_bits(words[i - 1]) >> (64 - shorter)) < (word_bits(words[i]) >> (64 - shorter)));
  }
  CHECK(word_bits(words.front()) == 0);
}

}  // namespace

TEST_CASE("alphabetic words: the example") {
  const auto words = words_for({4, 2, 1, 1});
  CHECK(word_length(words[0]) == 1);
  CHECK(word_length(words[1]) == 2);
  CHECK(word_length(words[2]) == 3);
  CHECK(word_length(words[3]) == 3);
  check_words(words);
}

TEST_CASE("alphabetic words: any weights") {
  check_words(words_for({0, 0}));
  check_words(words_for({0, 1}));
  check_words(words_for(std::vector<std::uint64_t>(256)));
  check_words(words_for(std::vector<std::uint64_t>(1024, 7)));
  std::vector<std::uint64_t> powers;
  for (unsigned i = 0; i < 40; ++i)
    powers.push_back(std::uint64_t{1} << i);
  check_words(words_for(powers));
  std::reverse(powers.begin(), powers.end());
  check_words(words_for(powers));
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::uint64_t> weights(2 + below(random, 255));
    for (std::uint64_t& weight : weights)
      weight = below(random, 5) == 0 ? below(random, 1000000) : below(random, 10);
    check_words(words_for(weights));
  }
}

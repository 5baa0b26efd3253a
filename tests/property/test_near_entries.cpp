// Keys of sequences, and looking them up, against a look at every letter and every entry.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "search/sets/near_entries.hpp"
#include "support/seeds.hpp"
#include "support/sequence_sets.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Around the symbols that fill a word of two bits per symbol, and of three.
constexpr std::uint64_t lengths[] = {1, 2, 7, 8, 9, 16, 21, 22, 31, 32, 33, 43, 63, 64};

std::string upper(std::string sequence) {
  for (char& c : sequence) {
    if (c >= 'a') c = static_cast<char>(c - 'a' + 'A');
    if (c == 'U') c = 'T';
  }
  return sequence;
}

void check_lookup(const CountedSequences& sequences, const CountedSequences& others) {
  SequenceSet set = make_set(sequences), asked = make_set(others);
  if (set.shape().bits == 3) asked.widen();
  if (asked.shape().bits == 3) set.widen();
  const std::vector<std::string> entries = sequences_of(sequences), keys = sequences_of(others);
  set.with_view([&]<unsigned Words>(const SequenceSetView<Words>& view) {
    const KeyLookup<Words> lookup(view);
    NearEntries<Words> near(lookup, view.shape);
    for (std::uint64_t i = 0; i < keys.size(); ++i) {
      const SequenceKey<Words>& key = asked.view<Words>().keys[i];
      std::uint64_t same = KeyLookup<Words>::none;
      std::vector<std::uint32_t> expected;
      for (std::uint32_t e = 0; e < entries.size(); ++e) {
        const unsigned distance = naive_distance(keys[i], entries[e]);
        if (distance == 0) same = e;
        if (distance == 1) expected.push_back(e);
      }
      REQUIRE(lookup.find(key, lookup.bucket_of(key)) == same);
      std::vector<std::uint32_t> found = near.of(key);
      std::sort(found.begin(), found.end());
      REQUIRE(found == expected);
    }
  });
}

}  // namespace

TEST_CASE("sequences become keys of their letters, in either case, and come back") {
  Random random(run_seed());
  for (const std::uint64_t length : lengths) {
    CAPTURE(length);
    for (const char* letters : {"ACGT", "ACGTUacgtu", "ACGTUNacgtun"}) {
      for (int i = 0; i < 50; ++i) {
        const std::string sequence = random_string(random, length, letters);
        CAPTURE(sequence);
        std::uint64_t words[most_key_words];
        const std::uint32_t bits = encode_sequence(sequence, words);
        REQUIRE(bits == (sequence.find_first_of("Nn") == std::string::npos ? 2u : 3u));
        std::string back;
        append_sequence(back, words, {static_cast<std::uint32_t>(length), bits});
        REQUIRE(back == upper(sequence));
      }
    }
    // Any other byte, anywhere.
    std::string sequence = random_string(random, length, "ACGT");
    char& place = sequence[below(random, length)];
    for (int byte = 0; byte < 256; ++byte) {
      place = static_cast<char>(byte);
      const bool allowed = std::string_view("ACGTUNacgtun").find(place) != std::string_view::npos;
      std::uint64_t words[most_key_words];
      CHECK((encode_sequence(sequence, words) != 0) == allowed);
    }
  }
}

TEST_CASE("entries at distance 1 are looked up as a look at every one finds them") {
  Random random(run_seed());
  for (const std::uint64_t length : lengths) {
    for (const char* letters : {"ACGT", "ACGTN", "AC"}) {
      CAPTURE(length);
      CAPTURE(letters);
      const CountedSequences sequences = related_sequences(random, length, 200, letters);
      check_lookup(sequences, sequences);
      check_lookup(sequences, related_sequences(random, length, 30, "ACGTN"));
      check_lookup({{sequences.begin()->first, 1}}, sequences);
      // What all entries share tells no bucket.
      CountedSequences alike;
      for (const auto& [sequence, count] : sequences)
        alike[std::string(length / 2, 'G') + sequence.substr(length / 2)] += count;
      check_lookup(alike, sequences);
    }
  }
}

// Sets of sequences that are sorted in many pieces because memory is short.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "base/error.hpp"
#include "search/sets/set_builder.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Facts {
  std::uint64_t count = 0;
  std::string name;
};

/// A block of sequences, of which each is added with a name if there are names, and with a count.
SequenceBlock block_of(const std::vector<std::pair<std::string, Facts>>& sequences, bool named) {
  SequenceBlock block;
  for (const auto& [sequence, facts] : sequences) {
    std::uint64_t words[most_key_words];
    block.length = static_cast<std::uint32_t>(sequence.size());
    const SequenceShape shape{block.length, encode_sequence(sequence, words)};
    KeyList& list = shape.bits == 2 ? block.plain : block.odd;
    list.words.insert(list.words.end(), words, words + shape.words());
    list.counts.push_back(facts.count);
    if (named) list.names.add(facts.name);
  }
  return block;
}

}  // namespace

TEST_CASE("a set is the same, in however many pieces it is sorted, with counts, names and N") {
  for (const bool named : {false, true}) {
    for (const char* letters : {"ACGT", "ACGTACGTACGTACGTN"}) {
      for (const std::uint64_t room : {std::uint64_t{9} << 20, ~std::uint64_t{0}}) {
        CAPTURE(named);
        CAPTURE(std::string(letters));
        CAPTURE(room);
        Random random(5);
        std::map<std::string, Facts> expected;
        std::uint64_t refused = 0;
        SetBuilder builder(2, [&](std::uint64_t bytes) {
          if (bytes <= room) return;
          ++refused;
          throw ResourceError("no room");
        });
        for (int b = 0; b < 40; ++b) {
          std::vector<std::pair<std::string, Facts>> sequences;
          for (int i = 0; i < 5000; ++i) {
            const std::string sequence = random_string(random, 7, letters);
            const Facts facts{below(random, 5) + 1, "n" + std::to_string(b) + std::to_string(i)};
            sequences.emplace_back(sequence, facts);
            Facts& all = expected[sequence];
            if (all.count == 0) all.name = facts.name;
            all.count += facts.count;
          }
          builder.add(block_of(sequences, named));
        }
        const SequenceSet set = builder.finish();
        CHECK((refused > 0) == (room != ~std::uint64_t{0}));
        REQUIRE(set.size() == expected.size());
        REQUIRE(set.has_names() == named);
        std::uint64_t i = 0, wrong = 0;
        for (const auto& [sequence, facts] : expected) {
          wrong += set.sequence(i) != sequence || set.count(i) != facts.count ? 1 : 0;
          wrong += named && set.name(i) != facts.name ? 1 : 0;
          ++i;
        }
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("a set that has no room at all is refused") {
  SetBuilder builder(1, [](std::uint64_t) { throw ResourceError("no room"); });
  builder.add(block_of({{"ACGT", {1, ""}}}, false));
  CHECK_THROWS_AS(builder.finish(), ResourceError);
}

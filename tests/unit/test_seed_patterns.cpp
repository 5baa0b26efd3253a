// Patterns cut into pieces, and strands compared with a packed text.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "search/mismatches/seed_patterns.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::vector<BaseSet> sets_of(std::string_view letters) {
  std::vector<BaseSet> sets;
  for (const char letter : letters)
    sets.push_back(letter == 'x' ? base_sets::none : iupac_base_set(letter));
  return sets;
}

/// The lengths of the pieces; 0 if it cannot be cut.
std::vector<std::uint32_t> lengths(std::string_view letters, std::uint32_t mismatches) {
  SeedCutter cutter;
  std::vector<SeedPiece> pieces;
  if (!cutter.cut(sets_of(letters), mismatches, pieces)) return {0};
  std::uint64_t end = 0;
  std::vector<std::uint32_t> found;
  for (const SeedPiece& piece : pieces) {
    CHECK(piece.begin >= end);
    end = piece.begin + piece.length;
    REQUIRE(end <= letters.size());
    const std::string_view own = letters.substr(piece.begin, piece.length);
    CHECK(own.find_first_not_of("ACGT") == std::string_view::npos);
    found.push_back(piece.length);
  }
  return found;
}

using Lengths = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a pattern is cut into one piece more than it may have mismatches") {
  CHECK(lengths("ACGTACGT", 0) == Lengths{8});
  CHECK(lengths("ACGTACGT", 1) == Lengths{4, 4});
  CHECK(lengths("ACGTACGTAC", 2) == Lengths{3, 3, 4});
  CHECK(lengths("ACGT", 3) == Lengths{1, 1, 1, 1});
  CHECK(lengths("ACGT", 4) == Lengths{0});
}

TEST_CASE("pieces lie between positions that match several bases, or none") {
  CHECK(lengths("ACGTNACGTACGT", 2) == Lengths{4, 4, 4});
  CHECK(lengths("ACRACGTACGT", 1) == Lengths{4, 4});
  CHECK(lengths("RYRYRY", 1) == Lengths{0});
  // A position that matches no base is a mismatch for certain: one piece less is enough.
  CHECK(lengths("ACGTxACGTACGT", 2) == Lengths{4, 8});
  CHECK(lengths("ACGTxACGTxACGT", 2) == Lengths{4});
  CHECK(lengths("ACGTxACGTxACGT", 1).empty());
}

TEST_CASE("the strands of a pattern have the mismatches that a comparison of each base counts") {
  Random random(5);
  const Text text = gsx::testing::make_text({random_string(random, 700, "ACGT")});
  const TextView view = text.view();
  for (int round = 0; round < 400; ++round) {
    const std::uint64_t length = 1 + below(random, 130);
    std::vector<BaseSet> pattern;
    for (std::uint64_t i = 0; i < length; ++i) {
      const bool plain = round % 2 == 0 || below(random, 4) != 0;
      pattern.push_back(static_cast<BaseSet>(plain ? 1 << below(random, 4) : below(random, 16)));
    }
    const bool strict = round % 8 == 1;
    if (strict) pattern[below(random, length)] |= base_sets::must_match;
    SetPatternBuffer buffer;
    buffer.add(pattern);
    SeedPatterns seeds;
    seeds.prepare(buffer.patterns(), 0, 1);
    seeds.pack(buffer.patterns());
    if (seeds.entries()[0].way == SeedWay::nowhere) continue;
    for (const bool reverse : {false, true}) {
      const StrandMasks strand = seeds.view().strand(0, reverse);
      const std::vector<BaseSet> sets = reverse ? reverse_complement_of(pattern) : pattern;
      const std::uint64_t p = below(random, 700 - length + 1);
      std::uint32_t expected = 0;
      bool excluded = false;
      std::vector<bool> differs;
      for (std::uint64_t i = 0; i < length; ++i) {
        differs.push_back(!has_base(sets[i], static_cast<std::uint32_t>(view.symbols[p + i])));
        expected += differs.back();
        excluded = excluded || (differs.back() && (sets[i] & base_sets::must_match) != 0);
      }
      constexpr std::uint32_t most = 200;
      const std::uint32_t found = strand.mismatches_at(view.symbols, p, most);
      CHECK((excluded ? found > most : found == expected));
      const std::uint64_t begin = below(random, length),
                          end = begin + 1 + below(random, length - begin);
      const bool exact = std::none_of(differs.begin() + static_cast<std::ptrdiff_t>(begin),
                                      differs.begin() + static_cast<std::ptrdiff_t>(end),
                                      [](bool differ) { return differ; });
      CHECK(strand.is_exact(view.symbols, p, begin, end) == exact);
    }
  }
}

TEST_CASE("patterns that are prepared together are as each alone") {
  Random random(6);
  SetPatternBuffer buffer;
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t length = i % 7 == 0 ? below(random, 3) : 31 + below(random, 4);
    std::vector<BaseSet> pattern;
    for (std::uint64_t k = 0; k < length; ++k)
      pattern.push_back(static_cast<BaseSet>(1 << below(random, 4)));
    if (i % 5 == 0 && length > 0) pattern[below(random, length)] = base_sets::any;
    if (i % 11 == 0 && length > 0) pattern[below(random, length)] = base_sets::none;
    buffer.add(pattern);
  }
  for (const std::size_t first : {0, 1, 130}) {
    const SetPatterns some = buffer.patterns().some(first, 300);
    SeedPatterns together;
    together.prepare(some, 2, 4);
    together.pack(some);
    std::uint64_t lookup = 0;
    for (std::size_t i = 0; i < some.size(); ++i) {
      const SetPatterns one = some.some(i, i + 1);
      SeedPatterns alone;
      alone.prepare(one, 2, 4);
      alone.pack(one);
      const SeedEntry &a = together.entries()[i], &b = alone.entries()[0];
      REQUIRE(a.way == b.way);
      REQUIRE(a.length == b.length);
      REQUIRE(a.has_sets == b.has_sets);
      REQUIRE(a.last_piece - a.first_piece == b.last_piece);
      const std::uint64_t words = 2 * StrandMasks::words_for(a.length, a.has_sets);
      REQUIRE(std::ranges::equal(together.words().subspan(a.first_word, words),
                                 alone.words().subspan(b.first_word, words)));
      for (std::uint32_t piece = 0; piece < b.last_piece; ++piece) {
        const SeedPiece &c = together.pieces()[a.first_piece + piece], &d = alone.pieces()[piece];
        REQUIRE(c.pattern == i);
        REQUIRE(c.begin == d.begin);
        REQUIRE(c.length == d.length);
        REQUIRE(std::ranges::equal(together.lookups()[lookup++], alone.lookups()[piece]));
      }
    }
  }
}

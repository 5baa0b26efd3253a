// What a kernel does with tables of keys, run on the CPU thread by thread, gives what a comparison
// of every place gives.
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "search/mismatches/key_tables.hpp"
#include "support/mismatch_cases.hpp"
#include "support/plain_mismatches.hpp"
#include "support/seeds.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr KeyCosts costs{
    1e-9, 5e-9, 100e-9, 24,
    [](std::span<const BaseSet> /*pattern*/, std::uint32_t /*mismatches*/) { return 1.0; }};

/// The counts of the patterns that fit the layout.
MismatchCounts count_by_threads(const TextView& text, const KeyTables& tables,
                                std::size_t patterns) {
  const KeysView keys = tables.view();
  MismatchCounts counts;
  counts.reset(patterns, keys.most);
  for (std::uint64_t begin = 0; begin < text.length(); begin += KeyWindows::places) {
    const KeyWindows windows(text.symbols, begin);
    const std::uint64_t left = text.length() - begin;
    const std::uint32_t inside =
        left < KeyWindows::places ? low_mask32(static_cast<unsigned>(left)) : ~std::uint32_t{0};
    for (std::uint32_t t = 0; t < keys.table_count; ++t) {
      const KeyTableView& table = keys.tables[t];
      const std::uint32_t found =
          windows.sift(table.shape, table.sieve.shift, table.sieve.words) & inside;
      look_up(keys, text, t, windows, begin, found, [&](const KeyPlace& place) {
        ++counts.of(place.pattern, place.reverse)[place.mismatches];
      });
    }
  }
  return counts;
}

}  // namespace

TEST_CASE("threads find the places of patterns that have keys") {
  int keyed = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    CAPTURE(run_seed() + i);
    Random random(run_seed() + i);
    const MismatchCase drawn = random_mismatch_case(random);
    const SetPatterns patterns = drawn.patterns.patterns();
    const std::optional<KeyLayout> layout = choose_key_layout(patterns, drawn.request, costs);
    if (!layout) continue;
    ++keyed;
    SetPatternBuffer fitting;
    for (std::size_t p = 0; p < patterns.size(); ++p)
      fitting.add(layout->fits(patterns[p]) ? patterns[p] : std::span<const BaseSet>());
    const KeyTables tables(patterns, drawn.request, *layout, 1, true);
    const PlainMismatchSearcher plain(drawn.text.view());
    MismatchCounts expected;
    plain.count(fitting.patterns(), drawn.request, expected);
    CHECK(same(count_by_threads(drawn.text.view(), tables, patterns.size()), expected));
  }
  CHECK(keyed > 20);
}

TEST_CASE("threads find what the CPU finds of many patterns, each place once") {
  Random random(run_seed());
  const std::string record = random_string(random, 20000, "ACGT");
  const Text text = text_of_records({record, record.substr(7, 3000), "ACGT"});
  SetPatternBuffer patterns;
  for (int i = 0; i < 3000; ++i) {
    std::string letters = record.substr(below(random, record.size() - 40), 18 + below(random, 20));
    letters[below(random, letters.size())] = "ACGTRYN"[below(random, 7)];
    patterns.add(letters, true);
  }
  for (const std::uint32_t mismatches : {0, 1, 2, 3}) {
    CAPTURE(mismatches);
    const MismatchRequest request{Strands::both, mismatches};
    const std::optional<KeyLayout> layout = choose_key_layout(patterns.patterns(), request, costs);
    REQUIRE(layout);
    const KeyTables tables(patterns.patterns(), request, *layout, 2, true);
    MismatchCounts expected;
    expected.reset(patterns.patterns().size(), mismatches);
    KeyTables::Scratch scratch;
    tables.scan(text.view(), 0, text.view().length(), best_cpu_path(), scratch, expected, nullptr);
    CHECK(same(count_by_threads(text.view(), tables, patterns.patterns().size()), expected));
  }
}

TEST_CASE("the mismatches of a part of a strand are those of its positions") {
  Random random(run_seed());
  const std::string record = random_string(random, 400, "ACGT");
  const Text text = text_of_records({record});
  const PackedView symbols = text.view().symbols;
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t length = 1 + below(random, 150), at = below(random, 400 - length);
    std::string letters = record.substr(at, length);
    for (char& letter : letters)
      if (below(random, 5) == 0) letter = "ACGTRYN"[below(random, round % 2 == 0 ? 4 : 7)];
    SetPatternBuffer pattern;
    pattern.add(letters, true);
    SeedPatterns masks;
    masks.prepare(pattern.patterns(), 0, 1);
    masks.pack(pattern.patterns());
    if (masks.entries()[0].length == 0) continue;
    const StrandMasks strand = masks.view().strand(0, false);
    const std::uint64_t begin = below(random, length);
    std::uint64_t expected = 0;
    for (std::uint64_t i = 0; i < 32 && begin + i < length; ++i) {
      const auto code = static_cast<std::uint32_t>(symbols[at + begin + i]);
      if (!has_base(pattern.patterns()[0][begin + i], code))
        expected |= std::uint64_t{1} << (62 - 2 * i);
    }
    CHECK(strand.mismatches_from(symbols, at, begin) == expected);
  }
}

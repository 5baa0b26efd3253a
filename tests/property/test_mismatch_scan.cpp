// The bit-sliced scan against a comparison of every place, on random and on awkward texts. A
// failure names the seed of its case: GSX_SEED=SEED GSX_CASES=1 repeats it.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "search/mismatches/bit_block.hpp"
#include "search/mismatches/compare_rest.hpp"
#include "search/mismatches/scan_searcher.hpp"
#include "search/mismatches/sliced_strands.hpp"
#include "support/mismatch_cases.hpp"
#include "support/plain_mismatches.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::vector<CpuPath> paths() {
  std::vector<CpuPath> paths{CpuPath::baseline};
  if (best_cpu_path() != CpuPath::baseline) paths.push_back(best_cpu_path());
  return paths;
}

/// Compares the scan, in each way that it can be compiled, with PlainMismatchSearcher.
void check(const Text& text, const SetPatterns& patterns, const MismatchRequest& request,
           std::uint64_t at_once, int threads) {
  const PlainMismatchSearcher plain(text.view(), {.hits_at_once = at_once});
  for (const CpuPath path : paths()) {
    CAPTURE(static_cast<int>(path));
    for (const ScanBy by : {ScanBy::planes, ScanBy::keys}) {
      CAPTURE(static_cast<int>(by));
      const ScanSearcher scan(text.view(), threads, {.hits_at_once = at_once}, path, by);
      check_same(scan, plain, patterns, request, at_once);
    }
  }
}

/// Counts as each thread of a GPU does, one window after another.
template <int digits>
void count_in_windows(const TextView& text, const SlicedStrands& sliced, std::uint32_t most,
                      MismatchCounts& counts) {
  const auto alone = [](bool over) { return over; };
  for (std::uint64_t begin = 0; begin < text.length(); begin += PlaceWindow::places) {
    PlaceWindow window;
    window.load(text.symbols, begin);
    WindowBorders borders;
    const bool bordered = borders.load(text.segments, begin);
    for (std::size_t pair = 0; pair < sliced.strands().size() / 2; ++pair) {
      StrandPair both{};
      PairCounters<digits> counters;
      for (std::size_t s = 0; s < 2; ++s) {
        const SlicedStrand& strand = sliced.strands()[pair * 2 + s];
        both.masks[s] = sliced.masks().data() + strand.masks;
        both.strict[s] = strand.strict;
        both.positions = strand.positions;
        both.check_from = sliced.strands()[pair * 2].check_from;
        std::uint32_t excluded[2] = {0, 0};
        if (bordered) borders.exclude(strand.length, excluded[0], excluded[1]);
        if (strand.length == 0) excluded[0] = excluded[1] = ~std::uint32_t{0};
        for (std::size_t word = 0; word < 2; ++word)
          counters.of[s][word].start(counter_start(digits, most), excluded[word]);
      }
      compare_places(window, both, alone, counters);
      for (std::size_t s = 0; s < 2; ++s) {
        const SlicedStrand& strand = sliced.strands()[pair * 2 + s];
        for (std::uint32_t place = 0; place < PlaceWindow::places; ++place) {
          const auto& counter = counters.of[s][place / 32];
          if ((counter.over >> place % 32 & 1) != 0) continue;
          std::uint32_t found = counter_value(counter, place % 32) - counter_start(digits, most);
          if (strand.length > PlaceWindow::reach &&
              !compare_rest(text, begin + place, strand.length, PlaceWindow::reach,
                            sliced.rest().data() + strand.rest, most, found))
            continue;
          ++counts.of(strand.pattern, strand.reverse != 0)[found];
        }
      }
    }
  }
}

/// count_in_windows() by the number of digits.
template <int... digits>
constexpr auto counts_in_windows(std::integer_sequence<int, digits...>) {
  using Count = void (*)(const TextView&, const SlicedStrands&, std::uint32_t, MismatchCounts&);
  return std::array<Count, sizeof...(digits)>{count_in_windows<digits>...};
}

}  // namespace

TEST_CASE("a scan finds what a comparison of every place finds") {
  for (std::uint64_t i = 0; i < random_cases(60); ++i) {
    CAPTURE(run_seed() + i);
    Random random(run_seed() + i);
    const MismatchCase drawn = random_mismatch_case(random);
    check(drawn.text, drawn.patterns.patterns(), drawn.request, drawn.at_once, drawn.threads);
  }
}

TEST_CASE("keys of patterns with a strict end find what a comparison of every place finds") {
  for (std::uint64_t i = 0; i < random_cases(60); ++i) {
    CAPTURE(run_seed() + i);
    Random random(run_seed() + i);
    const std::string record = mutated_copies(random, 300 + below(random, 3000), 4, 40, "ACGT");
    const Text text =
        text_of_records({record, record.substr(7, 40), "ACG", record.substr(90, 200)});
    const std::uint64_t shortest = 8 + below(random, 20), strict = below(random, 9);
    SetPatternBuffer patterns;
    for (std::uint64_t n = 1 + below(random, 60); n > 0; --n) {
      const std::uint64_t length = shortest + below(random, 12);
      std::string letters = record.substr(below(random, record.size() - length), length);
      for (std::uint64_t changes = below(random, 4); changes > 0; --changes)
        letters[below(random, length)] = "ACGTRYSWKMBDHVN"[below(random, 15)];
      std::vector<BaseSet> sets;
      for (std::size_t at = 0; at < length; ++at) {
        sets.push_back(iupac_base_set(letters[at]));
        if (at + strict >= length) sets.back() |= base_sets::must_match;
      }
      patterns.add(below(random, 5) == 0 ? reverse_complement_of(sets) : sets);
    }
    const Strands strands[] = {Strands::both, Strands::forward, Strands::reverse};
    const MismatchRequest request{strands[below(random, 3)],
                                  static_cast<std::uint32_t>(below(random, 5))};
    check(text, patterns.patterns(), request, 1 + below(random, 4000),
          static_cast<int>(1 + below(random, 3)));
  }
}

TEST_CASE("windows of places find what a comparison of every place finds") {
  for (std::uint64_t i = 0; i < random_cases(60); ++i) {
    CAPTURE(run_seed() + i);
    Random random(run_seed() + i);
    MismatchCase drawn = random_mismatch_case(random);
    // Each number of digits is drawn, from that for no mismatches to that for 255.
    if (i % 3 == 0) drawn.request.mismatches = static_cast<std::uint32_t>((1 << i / 3 % 9) - 1);
    const std::uint32_t most = drawn.request.mismatches;
    MismatchCounts expected, counts;
    PlainMismatchSearcher(drawn.text.view())
        .count(drawn.patterns.patterns(), drawn.request, expected);
    counts.reset(drawn.patterns.patterns().size(), most);
    const SlicedStrands sliced(drawn.patterns.patterns(), drawn.request);
    constexpr auto all_digits =
        std::make_integer_sequence<int, counter_digits(most_mismatches) + 1>();
    const auto by_digits = counts_in_windows(all_digits);
    by_digits[static_cast<std::size_t>(counter_digits(most))](drawn.text.view(), sliced, most,
                                                              counts);
    CHECK(same(counts, expected));
  }
}

TEST_CASE("a scan sees each border of a block and of a word") {
  Random random(run_seed());
  constexpr std::uint64_t block = BitBlock::positions;
  const std::string pattern = random_string(random, 33, "ACGT");
  for (const std::uint64_t size : {block - 1, block, block + 1, 2 * block, 3 * block + 40}) {
    for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{64 - 33}, std::uint64_t{255},
                                   block - 34, block - 33, block - 32, block - 1, block}) {
      CAPTURE(size);
      CAPTURE(at);
      std::string record = random_string(random, size, "ACGT");
      if (at + pattern.size() <= record.size()) record.replace(at, pattern.size(), pattern);
      record.replace(record.size() - pattern.size(), pattern.size(), pattern);
      const Text text = text_of_records({record, pattern, "A", pattern.substr(1), pattern});
      SetPatternBuffer patterns;
      patterns.add(pattern, false);
      check(text, patterns.patterns(), {Strands::both, 3}, 100, 1);
    }
  }
}

TEST_CASE("a scan of a run counts and caps a hit at every place") {
  const Text text = text_of_records({std::string(10000, 'A'), std::string(700, 'T')});
  SetPatternBuffer patterns;
  for (const char* letters : {"AAAAAAAA", "AAAATTTT", "TTTT", "AAAACAAAAAAA", "WWWWWWNW"})
    patterns.add(letters, true);
  for (const std::uint64_t most :
       {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{9000}, unlimited})
    for (const std::uint64_t at_once : {1, 100, 30000, 1 << 22})
      check(text, patterns.patterns(), {Strands::both, 2, most}, at_once, 2);
}

TEST_CASE("many patterns of many lengths are scanned in groups") {
  Random random(run_seed());
  std::vector<std::string> records;
  for (int i = 0; i < 300; ++i)
    records.push_back(random_string(random, below(random, 40), "ACGT"));
  const Text text = text_of_records(records);
  SetPatternBuffer patterns;
  for (int i = 0; i < rounds(5000); ++i)
    patterns.add(random_string(random, 1 + below(random, 20), "ACGT"), false);
  check(text, patterns.patterns(), {Strands::both, 1, 5}, 1000, 2);
}

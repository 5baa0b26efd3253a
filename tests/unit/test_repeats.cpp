// Maximal and supermaximal repeats, their pairs and dot plots, compared with all pairs of places.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/repeats/dot_plot.hpp"
#include "analysis/repeats/repeat_finder.hpp"
#include "analysis/repeats/repeat_pair_finder.hpp"
#include "index/sa/builder.hpp"
#include "support/naive_repeats.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Rows given to the builder some at a time.
template <class Pos>
SharedRows<Pos> shared_rows(const TextView& text, std::uint64_t least, std::uint64_t at_once,
                            int threads) {
  const SuffixArray sa = build_suffix_array(
      text, 1, sizeof(Pos) == 8 ? PositionWidth::wide : PositionWidth::automatic);
  SharedRowsBuilder<Pos> builder(text, least, threads, {});
  const std::span<const Pos> rows = sa.entries<Pos>();
  for (std::uint64_t row = 0; row < rows.size(); row += at_once)
    builder.add(rows.data() + row, std::min(at_once, rows.size() - row));
  return builder.finish();
}

template <class Pos>
std::vector<FoundRepeats> repeats_of(const TextStrands& strands, const SharedRows<Pos>& rows,
                                     const RepeatRequest& request) {
  std::vector<FoundRepeats> all;
  const TakeRepeat take = [&](const Repeat& repeat) {
    all.push_back({repeat.length, repeat.count, {}});
    for (const RepeatPlace& place : repeat.places)
      all.back().places.emplace_back(place.begin, place.reverse);
  };
  RepeatFinder<Pos> finder(strands.view, rows, request, take, {});
  rows.for_each_group(finder, [](double) {});
  return all;
}

template <class Pos>
std::vector<RepeatPair> pairs_of(const TextStrands& strands, const SharedRows<Pos>& rows) {
  std::vector<RepeatPair> all;
  const TakeRepeatPair take = [&](const RepeatPair& pair) { all.push_back(pair); };
  RepeatPairFinder<Pos> finder(strands.view, rows, take, {});
  rows.for_each_group(finder, [](double) {});
  return all;
}

std::string turned(std::string symbols) {
  std::reverse(symbols.begin(), symbols.end());
  for (char& c : symbols)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  return symbols;
}

/// Short ones, because the oracles look at every string.
std::vector<std::vector<std::string>> collections(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<std::string>> all;
  for (const auto& sequences : adversarial_collections(seed)) {
    std::uint64_t symbols = 0;
    for (const std::string& sequence : sequences)
      symbols += sequence.size();
    if (symbols < 500) all.push_back(sequences);
  }
  const std::string unit = random_string(random, 60, "ACGT"), left = random_string(random, 9, "AC");
  std::string at;
  for (int i = 0; i < 60; ++i)
    at += "AT";
  all.push_back({std::string(120, 'A'), std::string(119, 'A'), std::string(121, 'T')});
  all.push_back({fibonacci_word(233)});
  all.push_back({fibonacci_word(100, 'A', 'T') + "G" + fibonacci_word(90, 'A', 'T')});
  all.push_back({thue_morse_word(256, 'C', 'G')});
  all.push_back({mutated_copies(random, 50, 10, 40, "ACGT")});
  all.push_back({unit + turned(unit)});
  all.push_back({unit + turned(unit) + left + unit, turned(unit), left + turned(unit) + "G"});
  all.push_back({at, "G" + at + "C"});
  all.push_back({unit + "NN" + unit, unit.substr(1), unit});
  all.push_back({"AATT", "ACGTACGT", "TTAA", "CAATTG", "GAATTG"});
  return all;
}

void check_all(const TextStrands& strands, std::uint64_t least) {
  const Reader reader(strands);
  CAPTURE(least);
  CAPTURE(reader.both());
  const TextView text = strands.view.text;
  const auto rows = shared_rows<std::uint32_t>(text, least, text.length(), 1);
  const auto wide = shared_rows<std::uint64_t>(text, least, 7, 3);
  const NaiveRepeats naive(reader, least);
  for (const bool supermaximal : {false, true}) {
    for (const std::uint64_t min_count : {2, 3}) {
      const RepeatRequest request{least, supermaximal, min_count};
      const std::vector<FoundRepeats> found = repeats_of(strands, rows, request);
      const std::set<FoundRepeats> expected = naive.of(request);
      CAPTURE(supermaximal);
      CAPTURE(min_count);
      REQUIRE(found.size() == expected.size());
      REQUIRE(std::set<FoundRepeats>(found.begin(), found.end()) == expected);
      REQUIRE(repeats_of(strands, wide, request) == found);
    }
  }
  const std::vector<RepeatPair> pairs = pairs_of(strands, rows);
  const std::set<RepeatPair> expected = naive_pairs(strands, reader, least);
  REQUIRE(pairs.size() == expected.size());
  REQUIRE(std::set<RepeatPair>(pairs.begin(), pairs.end()) == expected);
  REQUIRE(pairs_of(strands, wide) == pairs);
}

}  // namespace

TEST_CASE("repeats and their pairs are those that comparing all places finds") {
  for (const bool both : {true, false}) {
    for (const auto& sequences : collections(both ? 21 : 22)) {
      CAPTURE(sequences.front().substr(0, 60));
      const TextStrands strands(sequences, both);
      for (const std::uint64_t least : {1, 4, 20})
        check_all(strands, least);
    }
  }
}

TEST_CASE("repeats of proteins and of bytes") {
  Random random(23);
  const std::string unit = random_string(random, 30, "ACDEFGHIKLMNPQRSTVWY");
  check_all(TextStrands({unit + "M" + unit, "W" + unit, unit + unit, "MKMKM"}, false,
                        SymbolPolicy::protein),
            2);
  const std::string bytes = every_symbol();
  check_all(
      TextStrands({bytes, bytes + bytes, "\x21" + bytes.substr(100)}, false, SymbolPolicy::bytes),
      1);
}

TEST_CASE("long repeats are measured, not compared") {
  Random random(24);
  const std::string unit = random_string(random, 2000, "ACGT");
  const TextStrands strands({unit + "A" + unit.substr(0, 1500) + "C" + turned(unit.substr(300))},
                            true);
  const std::set<RepeatPair> all = naive_pairs(strands, Reader(strands), 400);
  for (const std::uint64_t least : {400, 512, 513, 1499, 1500, 1600, 1700, 1701}) {
    const auto rows = shared_rows<std::uint32_t>(strands.view.text, least, 1000, 2);
    const std::vector<RepeatPair> pairs = pairs_of(strands, rows);
    std::set<RepeatPair> expected = all;
    std::erase_if(expected, [&](const RepeatPair& pair) { return pair.length < least; });
    CAPTURE(least);
    REQUIRE(std::set<RepeatPair>(pairs.begin(), pairs.end()) == expected);
    CHECK(pairs.size() == expected.size());
  }
}

TEST_CASE("of a repeat with many places, the first in suffix order are given, each once") {
  Random random(26);
  const std::string many = std::string("ATATATATATATATATATATATATATATATATATATATATATATATATATAT");
  for (const auto& sequences :
       {std::vector<std::string>{many, many},
        {std::string(50, 'A') + "C"},
        {"GACGTTCCCACGTAG"},
        {random_string(random, 300, "ACGT"), random_string(random, 300, "AT")}}) {
    const TextStrands strands(sequences, true);
    const Reader reader(strands);
    const BothStrandsView& both = strands.view;
    const auto rows = shared_rows<std::uint32_t>(both.text, 4, 1000, 1);
    const SuffixArray sa = build_suffix_array(both.text, 1);
    const auto all = repeats_of(strands, rows, {.min_length = 4});
    for (const std::uint64_t most : {1, 2, 3, 10}) {
      const auto some = repeats_of(strands, rows, {.min_length = 4, .max_places = most});
      REQUIRE(some.size() == all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        std::set<std::pair<std::uint64_t, bool>> left(all[i].places.begin(), all[i].places.end());
        std::set<std::pair<std::uint64_t, bool>> first;
        const std::uint64_t at = all[i].places[0].first, end = at + all[i].length;
        const bool is_own = reader.read({at, end, false}) == reader.read({at, end, true});
        for (std::uint64_t row = 0; row < sa.size() && first.size() < most; ++row) {
          const std::uint64_t p = sa[row], length = all[i].length;
          if (both.text.segments.separator_from(p) < p + length) continue;
          const bool reverse = !both.is_forward(p);
          const std::uint64_t begin = reverse ? both.forward_start(p, length) : p;
          const std::pair place{begin, reverse && !is_own};
          if (left.erase(place) > 0) first.insert(place);
        }
        CHECK(some[i].count == all[i].count);
        CHECK(std::ranges::equal(some[i].places, first));
      }
    }
  }
}

TEST_CASE("what takes memory asks for it") {
  const std::uint64_t size = 60'000;  // less than a megabyte need not be asked for
  const TextStrands strands({std::string(size, 'A')}, false);
  const auto rows = shared_rows<std::uint32_t>(strands.view.text, 4, 1000, 1);
  std::uint64_t all = 0;
  const TakeRepeat take = [](const Repeat&) {};
  RepeatFinder<std::uint32_t> finder(strands.view, rows, {.min_length = 4, .max_places = 1}, take,
                                     [&](std::uint64_t bytes) { all += bytes; });
  rows.for_each_group(finder, [](double) {});
  CHECK(all >= std::uint64_t{1} << 20);
  CHECK(all < size * 24);
}

TEST_CASE("the cells of a dot plot are those of comparing all strings of a length") {
  constexpr std::uint32_t cells = 70;
  for (const bool both : {true, false}) {
    for (const auto& sequences : collections(25)) {
      const TextStrands strands(sequences, both);
      const Reader reader(strands);
      const auto rows = shared_rows<std::uint32_t>(strands.view.text, 6, 100, 2);
      const RecordsView records = strands.text.records_view();
      const PlotAxis axis(records, strands.view.text.segments, cells);
      DotPlotter<std::uint32_t> plotter(strands.view, rows, axis);
      rows.for_each_group(plotter, [](double) {});
      std::set<std::tuple<bool, std::uint32_t, std::uint32_t>> expected, found;
      for (const auto& [string, readings] : reader.readings(6)) {
        for (const RepeatReading& a : readings) {
          for (const RepeatReading& b : readings) {
            if (a.reverse || (!b.reverse && a.begin == b.begin)) continue;
            expected.insert({b.reverse, axis.cell_of(a.begin), axis.cell_of(b.begin)});
          }
        }
      }
      for (std::uint32_t x = 0; x < cells; ++x) {
        for (std::uint32_t y = 0; y < cells; ++y) {
          if (plotter.forward().at(x, y)) found.insert({false, x, y});
          if (plotter.reverse().at(x, y)) found.insert({true, x, y});
        }
      }
      CAPTURE(sequences.front().substr(0, 60));
      CHECK(found == expected);
    }
  }
}

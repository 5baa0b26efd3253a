// Maximal and supermaximal repeats, their pairs and dot plots, compared with all pairs of places.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "repeats/dot_plot.hpp"
#include "repeats/repeat_finder.hpp"
#include "repeats/repeat_pair_finder.hpp"
#include "sa/builder.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// A text with one strand or two.
struct Strands {
  Text text;
  std::optional<BothStrands> owner;
  BothStrandsView view;

  Strands(const std::vector<std::string>& sequences, bool both,
          SymbolPolicy policy = SymbolPolicy::dna)
      : text(make_text(sequences, policy)) {
    if (both) owner.emplace(text.view(), 2);
    view = both ? owner->view() : BothStrandsView{text.view(), text.length()};
  }
};

/// A place where a string can be read: on a strand, from a position of the forward strand to
/// another. On the reverse strand it is read from right to left.
struct Reading {
  std::uint64_t begin, end;
  bool reverse;
};

/// All that can be read of a text, symbol by symbol, with no help of the code under test.
class Reader {
 public:
  explicit Reader(const Strands& strands)
      : text_(strands.text.view()), both_(strands.owner.has_value()) {}

  bool both() const { return both_; }
  /// The symbol at a position, or a number that nothing else has for separators and ends.
  std::int64_t at(std::int64_t p, bool reverse) const {
    const std::int64_t other = -2 * (p + 2) - (reverse ? 1 : 0);
    if (p < 0 || p >= static_cast<std::int64_t>(text_.length())) return other;
    const auto position = static_cast<std::uint64_t>(p);
    if (text_.segments.separator_from(position) == position) return other;
    const auto code = static_cast<std::int64_t>(text_.symbols[position]);
    return reverse ? 3 - code : code;
  }
  std::int64_t before(const Reading& reading) const {
    return reading.reverse ? at(static_cast<std::int64_t>(reading.end), true)
                           : at(static_cast<std::int64_t>(reading.begin) - 1, false);
  }
  std::int64_t behind(const Reading& reading) const {
    return reading.reverse ? at(static_cast<std::int64_t>(reading.begin) - 1, true)
                           : at(static_cast<std::int64_t>(reading.end), false);
  }
  std::string read(const Reading& reading) const {
    std::string symbols;
    for (std::uint64_t p = reading.begin; p < reading.end; ++p) {
      const std::int64_t symbol = at(static_cast<std::int64_t>(p), reading.reverse);
      symbols += static_cast<char>('0' + symbol);
    }
    if (reading.reverse) std::reverse(symbols.begin(), symbols.end());
    return symbols;
  }
  /// All readings of a length, by what is read.
  std::map<std::string, std::vector<Reading>> readings(std::uint64_t length) const {
    std::map<std::string, std::vector<Reading>> all;
    for (std::uint64_t p = 0; p + length <= text_.length(); ++p) {
      if (text_.segments.separator_from(p) < p + length) continue;
      for (const bool reverse : {false, true}) {
        if (reverse && !both_) continue;
        const Reading reading{p, p + length, reverse};
        all[read(reading)].push_back(reading);
      }
    }
    return all;
  }
  std::uint64_t longest() const {
    std::uint64_t most = 0;
    for (std::uint64_t s = 0; s < text_.segments.count; ++s)
      most = std::max(most, text_.segments.starts[s + 1] - 1 - text_.segments.starts[s]);
    return most;
  }

 private:
  TextView text_;
  bool both_;
};

/// A repeat with all its places; of a string and its reverse complement, the one whose first place
/// is on the forward strand.
struct Found {
  std::uint64_t length, count;
  std::vector<std::pair<std::uint64_t, bool>> places;

  friend auto operator<=>(const Found&, const Found&) = default;
};

/// The maximal repeats: no extension of the string, on either side, occurs as often.
std::set<std::string> naive_strings(const Reader& reader, std::uint64_t least) {
  std::set<std::string> all;
  for (std::uint64_t length = least; length <= reader.longest(); ++length) {
    bool repeats = false;
    for (const auto& [string, readings] : reader.readings(length)) {
      if (readings.size() < 2) continue;
      repeats = true;
      std::set<std::int64_t> before, behind;
      for (const Reading& reading : readings) {
        before.insert(reader.before(reading));
        behind.insert(reader.behind(reading));
      }
      if (before.size() > 1 && behind.size() > 1) all.insert(string);
    }
    if (!repeats) break;
  }
  return all;
}

/// Repeats by definition, and whether they are part of no other.
struct NaiveRepeats {
  std::vector<std::pair<Found, bool>> all;

  NaiveRepeats(const Reader& reader, std::uint64_t least) {
    const std::set<std::string> strings = naive_strings(reader, least);
    std::map<std::uint64_t, std::map<std::string, std::vector<Reading>>> by_length;
    for (const std::string& string : strings) {
      auto& readings = by_length[string.size()];
      if (readings.empty()) readings = reader.readings(string.size());
      std::map<std::uint64_t, int> strands;  // 1: forward, 2: reverse, 3: both, by place
      for (const Reading& reading : readings[string])
        strands[reading.begin] |= reading.reverse ? 2 : 1;
      if (strands.size() < 2 || strands.begin()->second == 2) continue;
      Found found{string.size(), strands.size(), {}};
      for (const auto& [begin, strand] : strands)
        found.places.emplace_back(begin, strand == 2);
      const bool is_part = std::ranges::any_of(strings, [&](const std::string& other) {
        return other.size() > string.size() && other.find(string) != std::string::npos;
      });
      all.emplace_back(found, !is_part);
    }
  }
  std::set<Found> of(const RepeatRequest& request) const {
    std::set<Found> some;
    for (const auto& [found, is_supermaximal] : all) {
      if (found.count >= request.min_count && (is_supermaximal || !request.supermaximal))
        some.insert(found);
    }
    return some;
  }
};

std::set<RepeatPair> naive_pairs(const Strands& strands, const Reader& reader,
                                 std::uint64_t least) {
  std::set<RepeatPair> all;
  const auto size = static_cast<std::int64_t>(strands.text.length());
  for (std::int64_t p = 0; p < size; ++p) {
    for (std::int64_t q = p + 1; q < size; ++q) {
      if (reader.at(p - 1, false) == reader.at(q - 1, false)) continue;
      std::int64_t length = 0;
      while (reader.at(p + length, false) == reader.at(q + length, false))
        ++length;
      if (length >= static_cast<std::int64_t>(least)) {
        all.insert({static_cast<std::uint64_t>(length), static_cast<std::uint64_t>(p),
                    static_cast<std::uint64_t>(q), false});
      }
    }
  }
  if (!reader.both()) return all;
  // What begins at p is compared with what is read from q to the left.
  for (std::int64_t p = 0; p < size; ++p) {
    for (std::int64_t q = 0; q < size; ++q) {
      if (reader.at(p - 1, false) == reader.at(q + 1, true)) continue;
      std::int64_t length = 0;
      while (reader.at(p + length, false) == reader.at(q - length, true))
        ++length;
      const std::int64_t other = q - length + 1;
      if (length >= static_cast<std::int64_t>(least) && p <= other) {
        all.insert({static_cast<std::uint64_t>(length), static_cast<std::uint64_t>(p),
                    static_cast<std::uint64_t>(other), true});
      }
    }
  }
  return all;
}

/// Rows given to the builder some at a time.
template <class Pos>
SharedRows<Pos> shared_rows(const TextView& text, std::uint64_t least, std::uint64_t at_once,
                            int threads) {
  const SuffixArray sa = build_suffix_array(
      text, 1, sizeof(Pos) == 8 ? PositionWidth::wide : PositionWidth::automatic);
  SharedRowsBuilder<Pos> builder(text, least, threads, {});
  sa.visit([&]<class Entry>(const Entry* rows) {
    if constexpr (sizeof(Entry) == sizeof(Pos)) {
      for (std::uint64_t row = 0; row < sa.size(); row += at_once)
        builder.add(rows + row, std::min(at_once, sa.size() - row));
    }
  });
  return builder.finish();
}

template <class Pos>
std::vector<Found> repeats_of(const Strands& strands, const SharedRows<Pos>& rows,
                              const RepeatRequest& request) {
  std::vector<Found> all;
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
std::vector<RepeatPair> pairs_of(const Strands& strands, const SharedRows<Pos>& rows) {
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

void check_all(const Strands& strands, std::uint64_t least) {
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
      const std::vector<Found> found = repeats_of(strands, rows, request);
      const std::set<Found> expected = naive.of(request);
      CAPTURE(supermaximal);
      CAPTURE(min_count);
      REQUIRE(found.size() == expected.size());
      REQUIRE(std::set<Found>(found.begin(), found.end()) == expected);
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
      const Strands strands(sequences, both);
      for (const std::uint64_t least : {1, 4, 20})
        check_all(strands, least);
    }
  }
}

TEST_CASE("repeats of proteins and of bytes") {
  Random random(23);
  const std::string unit = random_string(random, 30, "ACDEFGHIKLMNPQRSTVWY");
  check_all(
      Strands({unit + "M" + unit, "W" + unit, unit + unit, "MKMKM"}, false, SymbolPolicy::protein),
      2);
  const std::string bytes = every_symbol();
  check_all(Strands({bytes, bytes + bytes, "\x21" + bytes.substr(100)}, false, SymbolPolicy::bytes),
            1);
}

TEST_CASE("long repeats are measured, not compared") {
  Random random(24);
  const std::string unit = random_string(random, 2000, "ACGT");
  const Strands strands({unit + "A" + unit.substr(0, 1500) + "C" + turned(unit.substr(300))}, true);
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

TEST_CASE("of a repeat with many places, some are given, each once and in order") {
  const std::string at = std::string("ATATATATATATATATATATATATATATATATATATATATATATATATAT");
  for (const auto& sequences : {std::vector<std::string>{at, at}, {std::string(50, 'A') + "C"}}) {
    const Strands strands(sequences, true);
    const auto rows = shared_rows<std::uint32_t>(strands.view.text, 4, 1000, 1);
    const auto all = repeats_of(strands, rows, {.min_length = 4});
    for (const std::uint64_t most : {1, 2, 3, 10}) {
      const auto some = repeats_of(strands, rows, {.min_length = 4, .max_places = most});
      REQUIRE(some.size() == all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(some[i].count == all[i].count);
        CHECK(some[i].places.size() == std::min(most, all[i].count));
        CHECK(std::ranges::includes(all[i].places, some[i].places));
        CHECK(std::ranges::is_sorted(some[i].places));
      }
    }
  }
}

TEST_CASE("what takes memory asks for it") {
  const Strands strands({std::string(1000, 'A')}, false);
  const auto rows = shared_rows<std::uint32_t>(strands.view.text, 4, 1000, 1);
  std::uint64_t most = 0;
  const TakeRepeat take = [](const Repeat&) {};
  RepeatFinder<std::uint32_t> finder(strands.view, rows, {.min_length = 4}, take,
                                     [&](std::uint64_t bytes) { most = bytes; });
  rows.for_each_group(finder, [](double) {});
  CHECK(most >= 996 * 20);
  CHECK(most < 2 * 1024 * 24);
}

TEST_CASE("the cells of a dot plot are those of comparing all strings of a length") {
  constexpr std::uint32_t cells = 70;
  for (const bool both : {true, false}) {
    for (const auto& sequences : collections(25)) {
      const Strands strands(sequences, both);
      const Reader reader(strands);
      const auto rows = shared_rows<std::uint32_t>(strands.view.text, 6, 100, 2);
      const RecordsView records = strands.text.records_view();
      const PlotAxis axis(records, strands.view.text.segments, cells);
      DotPlotter<std::uint32_t> plotter(strands.view, rows, axis);
      rows.for_each_group(plotter, [](double) {});
      std::set<std::tuple<bool, std::uint32_t, std::uint32_t>> expected, found;
      for (const auto& [string, readings] : reader.readings(6)) {
        for (const Reading& a : readings) {
          for (const Reading& b : readings) {
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

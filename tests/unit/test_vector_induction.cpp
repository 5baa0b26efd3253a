// The loops of induced sorting that pass many rows at a time, beside the one that passes one row.
#include <doctest/doctest.h>

#include <vector>

#include "index/sa/bstar/vector_induction.hpp"
#include "index/sa/builder.hpp"
#include "index/sa/checker.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Rows that can be passed, between rows that must not change, and a place for each symbol.
struct Arrays {
  std::vector<std::uint32_t> sa;
  std::vector<std::uint8_t> low;
  std::vector<InductionPlace> places;
  std::vector<std::uint64_t> counts = std::vector<std::uint64_t>(256, 0);

  VectorRows rows(const TextView& text, const SegmentStartFilter& starts) {
    return {{low.data(), nullptr}, sa.data(), LeftContextReader(text.symbols, starts.view())};
  }
  bool operator==(const Arrays& other) const {
    for (std::size_t c = 0; c < places.size(); ++c) {
      if (places[c].up != other.places[c].up || places[c].down != other.places[c].down)
        return false;
    }
    return sa == other.sa && low == other.low && counts == other.counts;
  }
};

/// `size` rows from row 100 on: any positions, with the contexts that a sort would have left, or
/// none. Places that no row of the others can reach.
Arrays random_arrays(Random& random, const TextView& text, const LeftContextReader& reader,
                     std::uint64_t size) {
  const std::uint64_t sigma = text.sigma;
  Arrays made;
  made.sa.assign(100 + (size + 100) * (2 * sigma + 1), 7);
  made.low.assign(made.sa.size(), 0xEE);
  for (std::uint64_t row = 100; row < 100 + size; ++row) {
    std::uint64_t p = below(random, text.length());
    LeftContext context = reader.at(p);
    for (std::uint64_t used = below(random, reader.capacity + 1);
         used > 0 && context != start_context && context != empty_context; --used, --p)
      context = reader.rest(context);
    made.sa[row] = static_cast<std::uint32_t>(p);
    made.low[row] = static_cast<std::uint8_t>(context);
  }
  for (std::uint64_t c = 0; c < sigma; ++c) {
    const std::uint64_t place = 100 + (size + 100) * (2 * c + 2);
    made.places.push_back({place, place});
  }
  return made;
}

template <int step>
void pass_one_by_one(Arrays& arrays, const VectorRows& rows, Slice slice, WantedSymbols wanted) {
  for (std::uint64_t i = 0; i < slice.end - slice.begin; ++i) {
    const std::uint64_t row = step > 0 ? slice.begin + i : slice.end - 1 - i;
    rows.pass<step>(arrays.places.data(), row, rows.look(row), wanted);
  }
}

template <int step>
void check_loops(const Text& text, Random& random, std::uint64_t size, WantedSymbols wanted) {
  const TextView view = text.view();
  const SegmentStartFilter starts(view.segments, context_capacity(view.symbols));
  const LeftContextReader reader(view.symbols, starts.view());
  const Arrays given = random_arrays(random, view, reader, size);
  const Slice slice{100, 100 + size};

  Arrays expected = given, passed = given;
  pass_one_by_one<step>(expected, expected.rows(view, starts), slice, wanted);
  pass_rows<step>(passed.rows(view, starts), slice, passed.places.data(), wanted);
  CHECK(passed == expected);

  Arrays known = given, counted = given;
  for (std::uint64_t row = slice.begin; row < slice.end; ++row) {
    const LeftContext context = known.rows(view, starts).look(row);
    known.low[row] = static_cast<std::uint8_t>(context);
    if (context != start_context) ++known.counts[reader.nearest(context)];
  }
  read_contexts<step>(counted.rows(view, starts), slice, counted.counts.data());
  CHECK(counted == known);
  counted.counts = expected.counts;
  pass_known_rows<step>(counted.rows(view, starts), slice, counted.places.data(), wanted);
  CHECK(counted == expected);
}

}  // namespace

TEST_CASE("passing many rows at a time does what passing one row does") {
  GSX_NEED("AVX512", has_vector_induction(), "this CPU does not have AVX-512");
  Random random(71);
  for (const char* symbols : {"A", "ab", "ACGT", "abcdefgh"}) {
    const std::string sequence = random_string(random, 3000, symbols);
    const Text text =
        make_text({sequence.substr(0, 1), sequence, sequence.substr(7, 2), sequence.substr(50, 90)},
                  SymbolPolicy::bytes);
    const std::uint64_t sigma = text.view().sigma;
    REQUIRE(!has_wide_contexts(text.view().symbols));
    for (const std::uint64_t size : {1u, 15u, 16u, 17u, 64u, 511u, 512u, 513u, 1024u, 3001u}) {
      for (std::uint64_t b = 0; b < sigma; ++b) {
        CAPTURE(size);
        check_loops<1>(text, random, size, {b, sigma - 1});
        check_loops<1>(text, random, size, {b + 1, sigma - 1});
        check_loops<-1>(text, random, size, {0, b});
      }
    }
  }
}

TEST_CASE("suffix arrays are right with narrow and wide positions, of which one passes vectors") {
  Random random(73);
  for (const char* symbols : thinned(std::vector{"a", "ab", "ACGT", "abcdefgh"})) {
    std::vector<std::string> sequences{random_string(random, 700000, symbols)};
    sequences.push_back(sequences[0].substr(1000, 150000));
    sequences.push_back(std::string(200000, symbols[0]));
    for (int i = 0; i < 2000; ++i)
      sequences.push_back(random_string(random, 1 + below(random, 40), symbols));
    const Text text = make_text(sequences, SymbolPolicy::bytes);
    for (const PositionWidth width : {PositionWidth::narrow, PositionWidth::wide}) {
      for (const int threads : {1, 3})
        CHECK(!find_wrong_row(text.view(), build_suffix_array(text.view(), threads, width), 2));
    }
  }
}

// Places and k-mers of pieces in one numbering, and intervals of pairs that are divided.
#include <doctest/doctest.h>

#include <vector>

#include "search/matches/pair_join.hpp"
#include "search/matches/pair_places.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("the k-mers of a part are those that can find a pair that begins there") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  for (int round = 0; round < 300; ++round) {
    const auto step = static_cast<std::uint32_t>(1 + below(random, 9));
    const PairSampling sampling{static_cast<std::uint32_t>(1 + below(random, 20)), 1, step};
    std::vector<PairPiece> pieces;
    for (std::uint64_t at = 0; pieces.size() < 6;) {
      const std::uint64_t begin = at + below(random, 30);
      const std::uint64_t end = begin + sampling.kmer + sampling.period() - 1 + below(random, 60);
      const std::uint64_t from = begin + below(random, end - begin + 1);
      pieces.push_back({{begin, end}, from, from + below(random, end - from + 1), round % 2 == 0});
      at = end;
    }
    pieces.push_back({{1000, 1100}, 1000, 1100, false});
    const PairNumbering numbering(pieces, sampling);
    // Of each place: its piece, and where it is.
    std::vector<std::pair<std::size_t, std::uint64_t>> places;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      for (std::uint64_t q = pieces[i].begin; q < pieces[i].end; ++q)
        places.emplace_back(i, q);
    }
    REQUIRE(numbering.places() == places.size());
    for (int cut = 0; cut < 20; ++cut) {
      const std::uint64_t begin = below(random, places.size());
      const std::uint64_t end = begin + 1 + below(random, places.size() - begin);
      const PairNumbering::Part part = numbering.part(begin, end);
      const PairPlaces view{part.pieces.data(), part.pieces.size() - 1, step};
      std::vector<std::pair<std::uint64_t, std::uint64_t>> expected, found;
      for (std::uint64_t place = begin; place < end;) {
        const auto [piece, first] = places[place];
        while (place < end && places[place].first == piece)
          ++place;
        const std::uint64_t last = places[place - 1].second;
        const PairPiece& of = pieces[piece];
        for (std::uint64_t q = first; q < last + sampling.period(); ++q) {
          if (q % step == 0 && q + sampling.kmer <= of.stretch.end)
            expected.emplace_back(of.stretch.begin, q);
        }
      }
      for (std::uint64_t i = part.begin; i < part.end; ++i) {
        const NumberedPiece& piece = view.pieces[view.piece_of(i)];
        found.emplace_back(piece.stretch.begin, view.kmer_at(piece, i));
      }
      CHECK(found == expected);
    }
  }
}

TEST_CASE("an interval of pairs is divided until it holds one pair") {
  constexpr std::uint64_t targets = 5, places = 3;
  std::vector<PairOrder> all, found;
  for (std::uint64_t place = 0; place < places; ++place) {
    for (std::uint64_t target = 0; target < targets; ++target) {
      for (std::uint64_t length = 0; length <= targets; ++length)
        all.push_back({place, target, length});
    }
  }
  const auto walk = [&](const auto& self, const PairInterval& interval) -> void {
    CHECK(interval.begin.is_before(interval.end));
    CHECK(interval.begin.place < interval.place_end());
    PairOrder middle;
    if (interval.divide(targets, middle)) {
      CHECK(interval.begin.is_before(middle));
      CHECK(middle.is_before(interval.end));
      self(self, {interval.begin, middle});
      self(self, {middle, interval.end});
      return;
    }
    std::uint64_t count = 0;
    for (const PairOrder& pair : all) {
      if (!interval.has(pair)) continue;
      ++count;
      found.push_back(pair);
      CHECK(pair.place < interval.place_end());
    }
    CHECK(count == 1);
  };
  walk(walk, {{0, 0, 0}, {places, 0, 0}});
  REQUIRE(found.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(found[i].place == all[i].place);
    CHECK(found[i].target == all[i].target);
    CHECK(found[i].length == all[i].length);
  }
}

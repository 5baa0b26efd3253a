#include "search/edits/piece_filter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "search/edits/stripe_words.hpp"

namespace gsx {
namespace {

/// Words of a tile: so many that its states stay in registers.
template <class Lanes, int levels>
constexpr int tile_words() {
  constexpr int registers = sizeof(typename Lanes::Word) == 64 ? 32 : 16;
  return levels * 8 <= registers - 8 ? 8 : levels * 4 <= registers ? 4 : 2;
}

/// Adds the positions of the bits of a word.
template <class Word>
GSX_HD void add_positions(const Stripes& stripes, const Word& bits, std::size_t word,
                          std::vector<std::uint64_t>& found) {
  for (std::size_t part = 0; part < sizeof(Word) / 8; ++part) {
    for (std::uint64_t left = bits[part]; left != 0; left &= left - 1) {
      const std::size_t stripe = part * 64 + lowest_bit64(left);
      found.push_back(stripes.position(stripe, word));
    }
  }
}

/// find_piece() for one kind of words, and levels - 1 edits.
template <class Lanes, int levels>
GSX_HD void find_in_tiles(const Stripes& stripes, std::span<const BaseSet> sets,
                          std::vector<std::uint64_t>& found) {
  using Word = typename Lanes::Word;
  constexpr int width = tile_words<Lanes, levels>();
  constexpr std::size_t numbers = sizeof(Word) / 8;
  const Word all = ~Word{};
  // Of each prefix: its states in the last word before the tile. Before the first word, a prefix is
  // made of the empty string by as many edits as it has symbols.
  alignas(64) std::uint8_t borders[most_piece_reach * levels * sizeof(Word)];
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (std::size_t e = 0; e < levels; ++e)
      store_lanes(borders + (i * levels + e) * sizeof(Word), i + 1 <= e ? all : Word{});

  // All loops but those over words and symbols are unrolled, so that states are registers.
  const std::size_t warm = (sets.size() + levels - 1 + width - 1) / width * width;
  for (std::size_t at = Stripes::lead - warm; at < stripes.words(); at += width) {
    Word state[levels][width];  // of the last prefix; at first of the empty one
    Word before[levels];        // the same in the word before the tile
#pragma GCC unroll 8
    for (int e = 0; e < levels; ++e) {
      before[e] = all;
#pragma GCC unroll 8
      for (int k = 0; k < width; ++k)
        state[e][k] = all;
    }
    std::uint8_t* border = borders;
    for (const BaseSet set : sets) {
      const std::uint8_t* const plane = stripes.plane(set) + at * sizeof(Word);
      Word diagonal[levels], left[levels];  // of the last prefix, and of this one, a word before
#pragma GCC unroll 8
      for (int e = 0; e < levels; ++e) {
        diagonal[e] = before[e];
        load_lanes(left[e], border + static_cast<std::size_t>(e) * sizeof(Word));
        before[e] = left[e];
      }
#pragma GCC unroll 8
      for (int k = 0; k < width; ++k) {
        Word match;
        load_lanes(match, plane + static_cast<std::size_t>(k) * sizeof(Word));
        Word next[levels];
        next[0] = diagonal[0] & match;
#pragma GCC unroll 8
        for (int e = 1; e < levels; ++e) {
          next[e] = diagonal[e];
          Lanes::and_or(next[e], match, diagonal[e - 1]);       // or another symbol
          Lanes::or_or(next[e], state[e - 1][k], left[e - 1]);  // one alone of either string
        }
#pragma GCC unroll 8
        for (int e = 0; e < levels; ++e) {
          diagonal[e] = state[e][k];
          state[e][k] = left[e] = next[e];
        }
      }
#pragma GCC unroll 8
      for (int e = 0; e < levels; ++e, border += sizeof(Word))
        store_lanes(border, state[e][width - 1]);
    }
    if (at < Stripes::lead) continue;
    Word any = state[levels - 1][0];
#pragma GCC unroll 8
    for (int k = 1; k < width; ++k)
      any |= state[levels - 1][k];
    std::uint64_t some = 0;
    for (std::size_t part = 0; part < numbers; ++part)
      some |= any[part];
    if (some == 0) continue;
#pragma GCC unroll 8
    for (int k = 0; k < width; ++k)
      add_positions(stripes, state[levels - 1][k], at + static_cast<std::size_t>(k), found);
  }
}

using Find = void (*)(const Stripes&, std::span<const BaseSet>, std::vector<std::uint64_t>&);

template <int levels>
void find_128(const Stripes& stripes, std::span<const BaseSet> sets,
              std::vector<std::uint64_t>& found) {
  find_in_tiles<PlainStripeWord<BaselineLanes>, levels>(stripes, sets, found);
}
#ifdef __x86_64__
template <int levels>
GSX_TARGET_AVX2 void find_256(const Stripes& stripes, std::span<const BaseSet> sets,
                              std::vector<std::uint64_t>& found) {
  find_in_tiles<PlainStripeWord<Avx2Lanes>, levels>(stripes, sets, found);
}
template <int levels>
GSX_TARGET_STRIPES512 void find_512(const Stripes& stripes, std::span<const BaseSet> sets,
                                    std::vector<std::uint64_t>& found) {
  find_in_tiles<Avx512StripeWord, levels>(stripes, sets, found);
}
#endif

template <int... levels>
constexpr std::array<Find, sizeof...(levels)> finds(StripePath path,
                                                    std::integer_sequence<int, levels...>) {
#ifdef __x86_64__
  if (path == StripePath::avx512) return {find_512<levels + 1>...};
  if (path == StripePath::avx2) return {find_256<levels + 1>...};
#endif
  static_cast<void>(path);
  return {find_128<levels + 1>...};
}

/// Seconds for a symbol of a piece, and for each edit that it may have, per place; measured on one
/// core of 2024.
struct PieceCost {
  double symbol, edit;
};
constexpr PieceCost piece_costs[] = {{1.8e-12, 3.5e-12}, {1e-12, 1.8e-12}, {0.8e-12, 1.6e-12}};

/// All numbers of pieces up to this one are tried.
constexpr std::uint32_t most_counts = 8;

/// Columns that are computed for a place that is found, but for those of the pattern.
constexpr double window_columns = 16;

/// About the share of the places of random text where a piece ends, if `share` is that of its own
/// string. An edit may be at each position: three other bases there, a base left out (a string with
/// one base less occurs four times as often), or one of four put in.
double ends_share(double share, double length, std::uint32_t edits) {
  double strings = 1, sum = 1;
  for (std::uint32_t e = 1; e <= edits; ++e) {
    strings *= 8 * length / e;
    sum += strings;
  }
  return std::min(1.0, share * sum);
}

}  // namespace

void find_piece(const Stripes& stripes, std::span<const BaseSet> sets, std::uint32_t edits,
                std::vector<std::uint64_t>& found) {
  static constexpr auto levels = std::make_integer_sequence<int, most_piece_edits + 1>();
  static constexpr std::array<Find, most_piece_edits + 1> by_levels[] = {
      finds(StripePath::baseline, levels), finds(StripePath::avx2, levels),
      finds(StripePath::avx512, levels)};
  by_levels[static_cast<int>(stripes.path())][edits](stripes, sets, found);
}

FilterPlan plan_filter(std::span<const BaseSet> pattern, std::uint32_t edits, StripePath path,
                       double column_cost) {
  const PieceCost& costs = piece_costs[static_cast<int>(path)];
  const double check_cost =
      column_cost * (static_cast<double>(pattern.size()) + 3 * edits + window_columns);
  // How much each prefix of the pattern tells, as bases.
  std::vector<double> bases(pattern.size() + 1, 0);
  for (std::size_t i = 0; i < pattern.size(); ++i)
    bases[i + 1] = bases[i] + 1 - 0.5 * std::log2(std::max(1U, bases_of(pattern[i])));
  FilterPlan best{{}, column_cost};
  for (std::uint32_t count = 1; count <= edits + 1; ++count) {
    if (edits / count > most_piece_edits) continue;
    // Of many, the fewest pieces with as many edits each.
    if (count > most_counts && (edits + count) / count == (edits + count - 1) / (count - 1))
      continue;
    FilterPlan plan;
    std::uint32_t parts = 0;  // edits and pieces before this one
    for (std::uint32_t k = 0; k < count && plan.cost < best.cost; ++k) {
      const std::uint32_t own = (edits + 1) / count + (k < (edits + 1) % count ? 1 : 0);
      // A piece's share of what the pattern tells is that of its edits.
      const auto bound = [&](std::uint32_t part) {
        const double at = bases.back() * part / (edits + 1);
        return static_cast<std::uint32_t>(
            std::lower_bound(bases.begin(), bases.end() - 1, at - 1e-9) - bases.begin());
      };
      const std::uint32_t begin = bound(parts);
      const std::uint32_t end = parts + own == edits + 1
                                    ? static_cast<std::uint32_t>(pattern.size())
                                    : bound(parts + own);
      parts += own;
      FilterPiece piece{begin, 0, own - 1};
      double least = best.cost;  // and more: nothing is gained
      for (std::uint32_t length = 1;
           begin + length <= end && length + piece.edits <= most_piece_reach; ++length) {
        const double share = std::exp2(-2 * (bases[begin + length] - bases[begin]));
        const double cost = length * (costs.symbol + costs.edit * piece.edits) +
                            check_cost * ends_share(share, length, piece.edits);
        if (cost >= least) continue;
        least = cost;
        piece.length = length;
      }
      plan.cost += least;
      plan.pieces.push_back(piece);
    }
    if (plan.cost < best.cost) best = std::move(plan);
  }
  return best;
}

}  // namespace gsx

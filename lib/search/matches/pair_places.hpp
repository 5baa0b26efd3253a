// The places of pieces of queries in one numbering, and the k-mers that are looked up for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "base/host_device.hpp"
#include "search/matches/pair_sampling.hpp"
#include "search/matches/pair_searcher.hpp"

namespace gsx {

/// A piece whose places and k-mers are numbered after those of the pieces before it.
struct NumberedPiece {
  PlainStretch stretch;
  std::uint64_t begin;         ///< its first place in the queries
  std::uint64_t first_place;   ///< the number of that
  std::uint64_t kmer;          ///< where its first k-mer is in the queries
  std::uint64_t first_number;  ///< the number of that
  bool reverse;
};

/// Consecutive pieces, for whoever looks up their k-mers.
struct PairPlaces {
  const NumberedPiece* pieces = nullptr;  ///< [count + 1]; the last one has numbers only
  std::uint64_t count = 0;
  std::uint32_t step = 1;  ///< from k-mer to k-mer

  /// The piece of a k-mer. Cost: a binary search. Pre: it is of one of the pieces.
  GSX_HD std::uint64_t piece_of(std::uint64_t number) const {
    std::uint64_t low = 0, high = count - 1;  // the last piece that begins with it or before it
    while (low < high) {
      const std::uint64_t middle = low + (high - low + 1) / 2;
      if (pieces[middle].first_number <= number) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
  GSX_HD std::uint64_t kmer_at(const NumberedPiece& piece, std::uint64_t number) const {
    return piece.kmer + (number - piece.first_number) * step;
  }
};

/// Numbers the places of pieces, and the k-mers by which their pairs are found.
class PairNumbering {
 public:
  PairNumbering(std::span<const PairPiece> pieces, const PairSampling& sampling)
      : step_(sampling.query_step), period_(sampling.period()) {
    std::uint64_t places = 0, kmers = 0;
    for (const PairPiece& piece : pieces) {
      const std::uint64_t kmer = divide_up(piece.begin, step_) * step_;
      const std::uint64_t reach = piece.begin < piece.end ? piece.end + period_ - 1 : 0;
      const std::uint64_t last = std::min(reach, piece.stretch.end - sampling.kmer + 1);
      pieces_.push_back({piece.stretch, piece.begin, places, kmer, kmers, piece.reverse});
      places += piece.end - piece.begin;
      kmers += last > kmer ? divide_up(last - kmer, step_) : 0;
    }
    pieces_.push_back({{}, 0, places, 0, kmers, false});
  }

  std::uint64_t places() const { return pieces_.back().first_place; }

  /// The pieces that have places [begin, end), and the numbers of the k-mers by which pairs that
  /// begin there are found. Pre: begin < end <= places().
  struct Part {
    std::span<const NumberedPiece> pieces;  ///< and one behind them
    std::uint64_t begin;
    std::uint64_t end;

    std::uint64_t kmers() const { return end - begin; }
  };
  Part part(std::uint64_t begin, std::uint64_t end) const {
    const std::size_t first = piece_of(begin), last = piece_of(end - 1);
    return {std::span(pieces_).subspan(first, last - first + 2),
            first_kmer_from(first, query_place(first, begin)),
            first_kmer_from(last, query_place(last, end - 1) + period_)};
  }

 private:
  /// The piece that has a place, however many without places there are.
  std::size_t piece_of(std::uint64_t place) const {
    const auto after = std::ranges::upper_bound(pieces_, place, {}, &NumberedPiece::first_place);
    return static_cast<std::size_t>(after - pieces_.begin()) - 1;
  }
  std::uint64_t query_place(std::size_t piece, std::uint64_t place) const {
    return pieces_[piece].begin + (place - pieces_[piece].first_place);
  }
  /// The number of the first k-mer of a piece at or behind a place of the queries; if there is
  /// none, that behind the last.
  std::uint64_t first_kmer_from(std::size_t piece, std::uint64_t place) const {
    const NumberedPiece& of = pieces_[piece];
    const std::uint64_t before = place > of.kmer ? divide_up(place - of.kmer, step_) : 0;
    return std::min(of.first_number + before, pieces_[piece + 1].first_number);
  }

  std::uint32_t step_;
  std::uint32_t period_;
  std::vector<NumberedPiece> pieces_;
};

}  // namespace gsx

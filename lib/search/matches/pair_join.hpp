// What the threads of a device do to join the k-mers of queries with those of a target.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "search/matches/pair_extension.hpp"
#include "search/matches/pair_places.hpp"
#include "search/matches/pair_table.hpp"

namespace gsx {

/// Pairs in the order of the output, by the number of the place where they begin. No two are equal.
struct PairOrder {
  std::uint64_t place;
  std::uint64_t target;
  std::uint64_t length;

  GSX_HD bool is_before(const PairOrder& other) const {
    if (place != other.place) return place < other.place;
    if (target != other.target) return target < other.target;
    return length < other.length;
  }
};

/// Pairs [begin, end) of that order.
struct PairInterval {
  PairOrder begin;
  PairOrder end;

  GSX_HD bool has(const PairOrder& pair) const {
    return !pair.is_before(begin) && pair.is_before(end);
  }
  /// The numbers of the places where they begin are below this.
  std::uint64_t place_end() const {
    return end.target == 0 && end.length == 0 ? end.place : end.place + 1;
  }
  /// Sets `middle` between the ends, at a place if possible, else within one: at a target below
  /// `targets`, else at a length up to that. False if there is one pair at most. Pre: if the ends
  /// have different places, that of the end is a place's first.
  bool divide(std::uint64_t targets, PairOrder& middle) const {
    if (end.place - begin.place > 1) {
      middle = {begin.place + (end.place - begin.place) / 2, 0, 0};
      return true;
    }
    const std::uint64_t target_end = end.place > begin.place ? targets : end.target;
    if (target_end > begin.target + 1) {
      middle = {begin.place, begin.target + (target_end - begin.target) / 2, 0};
      return true;
    }
    const bool to_its_end = end.place > begin.place || end.target > begin.target;
    const std::uint64_t length_end = to_its_end ? targets + 1 : end.length;
    if (length_end <= begin.length + 1) return false;
    middle = {begin.place, begin.target, begin.length + (length_end - begin.length) / 2};
    return true;
  }
};

/// A candidate that agrees with the target over many symbols, to be finished by several threads.
struct OpenPair {
  PairCandidate candidate;
  std::uint64_t piece;
};

struct PairJoin {
  PairTableView table;
  PairExtension extension;
  PairPlaces places;
  PairInterval interval;

  /// Symbols that a thread compares alone.
  static constexpr std::uint64_t alone = 512;

  /// The samples of the target that have the slot of a k-mer.
  struct Samples {
    std::uint32_t begin;
    std::uint32_t end;
  };
  GSX_HD Samples samples(std::uint64_t number) const {
    const NumberedPiece& piece = places.pieces[places.piece_of(number)];
    const std::uint64_t at = places.kmer_at(piece, number);
    const std::uint64_t slot = piece.reverse ? table.complement_slot_at(extension.query, at)
                                             : table.slot_at(extension.query, at);
    return {table.starts[slot], table.starts[slot + 1]};
  }

  /// Extends a k-mer with one of its samples: calls report(order) if that gives a pair of the
  /// interval. A long one goes to defer(open), unless that returns false.
  template <class Report, class Defer>
  GSX_HD void extend(std::uint64_t number, std::uint32_t sample, const Report& report,
                     const Defer& defer) const {
    const std::uint64_t piece = places.piece_of(number);
    if (places.pieces[piece].reverse) {
      extend_on<true>(piece, number, sample, report, defer);
    } else {
      extend_on<false>(piece, number, sample, report, defer);
    }
  }
  /// Reports a pair that is not open.
  template <class Report>
  GSX_HD void finish(const OpenPair& open, const Report& report) const {
    const NumberedPiece& piece = places.pieces[open.piece];
    if (!extension.is_long_enough(open.candidate)) return;
    const MatchPair pair =
        piece.reverse ? open.candidate.pair<true>() : open.candidate.pair<false>();
    const PairOrder order{piece.first_place + (pair.query - piece.begin), pair.target, pair.length};
    if (interval.has(order)) report(order);
  }
  GSX_HD bool is_reverse(const OpenPair& open) const { return places.pieces[open.piece].reverse; }

 private:
  template <bool Reverse, class Report, class Defer>
  GSX_HD void extend_on(std::uint64_t number_of_piece, std::uint64_t number, std::uint32_t sample,
                        const Report& report, const Defer& defer) const {
    const NumberedPiece& piece = places.pieces[number_of_piece];
    OpenPair open;
    open.piece = number_of_piece;
    const std::uint64_t p = std::uint64_t{table.samples[sample]} * table.step;
    if (!extension.start<Reverse>(p, places.kmer_at(piece, number), piece.stretch, open.candidate))
      return;
    const std::uint64_t begin = open.candidate.begin();
    if (begin < piece.begin) return;
    const std::uint64_t place = piece.first_place + (begin - piece.begin);
    if (place >= (&piece)[1].first_place) return;
    if (place < interval.begin.place || place > interval.end.place) return;
    extension.go_on<Reverse>(open.candidate, alone);
    if (open.candidate.is_open()) {
      if (defer(open)) return;
      extension.go_on<Reverse>(open.candidate, open.candidate.most);
    }
    finish(open, report);
  }
};

}  // namespace gsx

// Makes a pair of matches of a k-mer that a target and a query share.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "match/matches.hpp"
#include "match/pair_compare.hpp"
#include "match/pair_sampling.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Symbols [begin, end) of a query or of several, all of them in the alphabet.
struct PlainStretch {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t length() const { return end - begin; }
};

/// A k-mer of a target and a query, both packed alike: extends it on both sides to a pair.
struct PairExtension {
  TextView target;
  PackedView query;
  std::uint64_t kmer;
  std::uint64_t period;  ///< of the sampling
  std::uint64_t min_length;

  /// Sets `pair` if target[p, p + kmer) is query[q, q + kmer), or on the reverse strand its reverse
  /// complement, the pair that holds both is long enough, and no k-mer of it before this one, by
  /// the place of the query, is sampled; so each pair is found once. Positions of the query are
  /// those of the view. Pre: both k-mers lie in one segment, and in `stretch`.
  template <bool Reverse>
  GSX_HD bool extend(std::uint64_t p, std::uint64_t q, const PlainStretch& stretch,
                     MatchPair& pair) const {
    const PackedView& text = target.symbols;
    // On the target, the query's symbols from q on begin at `head` and run one way, and those
    // before q begin at `tail` and run the other way.
    const std::uint64_t tail = Reverse ? p + kmer : p;
    const std::uint64_t ahead_on_query = stretch.end - q, before_on_query = stretch.begin;
    const std::uint64_t room_ahead = Reverse ? tail : text.size - p;
    const std::uint64_t room_behind = Reverse ? text.size - tail : p;
    const std::uint64_t most_ahead = smaller(ahead_on_query, room_ahead);
    std::uint64_t ahead = extend_ahead<Reverse>(tail, q, smaller(most_ahead, first_look()));
    if (ahead < kmer) return false;
    const std::uint64_t most_behind = smaller(period, smaller(q - before_on_query, room_behind));
    std::uint64_t behind = extend_behind<Reverse>(tail, q, most_behind);
    // Separators are taken for symbols here, so this may be too much, but never too little.
    if (ahead < first_look() && ahead + behind < min_length) return false;
    const std::uint64_t segment = target.segments.segment_at(p);
    const std::uint64_t begin = target.segments.starts[segment];
    const std::uint64_t end = target.segments.starts[segment + 1] - 1;
    behind = smaller(behind, Reverse ? end - tail : tail - begin);
    if (behind >= period) return false;  // the k-mer `period` places before is sampled
    const std::uint64_t most = smaller(ahead_on_query, Reverse ? tail - begin : end - tail);
    ahead = ahead < first_look() ? smaller(ahead, most) : extend_ahead<Reverse>(tail, q, most);
    const std::uint64_t length = behind + ahead;
    if (length < min_length) return false;
    pair = {Reverse ? tail - ahead : tail - behind, Reverse, q - behind, length};
    return true;
  }

 private:
  /// Symbols that are compared before anything is looked up.
  GSX_HD std::uint64_t first_look() const { return 2 * (PackedView::max_bits / query.bits); }
  GSX_HD static std::uint64_t smaller(std::uint64_t a, std::uint64_t b) { return a < b ? a : b; }
  template <bool Reverse>
  GSX_HD std::uint64_t extend_ahead(std::uint64_t tail, std::uint64_t q, std::uint64_t most) const {
    return Reverse ? common_turned(target.symbols, tail, query, q, most)
                   : common_ahead(target.symbols, tail, query, q, most);
  }
  template <bool Reverse>
  GSX_HD std::uint64_t extend_behind(std::uint64_t tail, std::uint64_t q,
                                     std::uint64_t most) const {
    return Reverse ? common_turned(query, q, target.symbols, tail, most)
                   : common_behind(target.symbols, tail, query, q, most);
  }
};

}  // namespace gsx

// Makes a pair of matches of a k-mer that a target and a query share.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "base/packed.hpp"
#include "index/fm/pattern_view.hpp"
#include "search/matches/matches.hpp"
#include "search/matches/pair_sampling.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// How many of `most` symbols from a[p] on are those from b[q] on. Separators are taken for code 0.
/// Pre: both have as many bits per symbol; p + most <= a.size, q + most <= b.size. Cost: a load of
/// each per 57 bits.
GSX_HD std::uint64_t common_ahead(const PackedView& a, std::uint64_t p, const PackedView& b,
                                  std::uint64_t q, std::uint64_t most) {
  const std::uint32_t per = PackedView::max_bits / a.bits, unused = 64 - per * a.bits;
  for (std::uint64_t equal = 0; equal < most; equal += per) {
    const std::uint64_t unlike = (a.window(p + equal) ^ b.window(q + equal)) >> unused;
    if (unlike == 0) continue;
    equal += (highest_zeros64(unlike) - unused) / a.bits;
    return equal < most ? equal : most;
  }
  return most;
}

/// How many of `most` symbols before a[p], read backwards, are those before b[q]. Pre: most <= p,
/// most <= q.
GSX_HD std::uint64_t common_behind(const PackedView& a, std::uint64_t p, const PackedView& b,
                                   std::uint64_t q, std::uint64_t most) {
  const std::uint64_t per = PackedView::max_bits / a.bits;
  for (std::uint64_t equal = 0; equal < most;) {
    const std::uint64_t some = most - equal < per ? most - equal : per;
    const std::uint64_t unlike =
        (a.window(p - equal - some) ^ b.window(q - equal - some)) >> (64 - some * a.bits);
    if (unlike != 0) return equal + lowest_bit64(unlike) / a.bits;
    equal += some;
  }
  return most;
}

/// How many of `most` bases before a[p], read backwards, are the complements of those from b[q] on.
/// Pre: both have 2 bits per symbol; most <= p, q + most <= b.size.
GSX_HD std::uint64_t common_turned(const PackedView& a, std::uint64_t p, const PackedView& b,
                                   std::uint64_t q, std::uint64_t most) {
  constexpr std::uint32_t per = PackedView::max_bits / 2;
  for (std::uint64_t equal = 0; equal < most;) {
    const auto some = static_cast<std::uint32_t>(most - equal < per ? most - equal : per);
    const std::uint64_t before = a.window(p - equal - some) >> (64 - 2 * some);
    const std::uint64_t unlike =
        reverse_complement(before, some) ^ b.window(q + equal) >> (64 - 2 * some);
    if (unlike != 0) return equal + (highest_zeros64(unlike) - (64 - 2 * some)) / 2;
    equal += some;
  }
  return most;
}

/// Symbols [begin, end) of a query or of several, all of them in the alphabet.
struct PlainStretch {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t length() const { return end - begin; }
};

/// A k-mer that a target and a query share, and how far symbols are known to agree. On the target,
/// the query's symbols from `query` on begin at `tail` and run one way, and those before it begin
/// there and run the other way.
struct PairCandidate {
  std::uint64_t tail;
  std::uint64_t query;
  std::uint64_t behind;  ///< symbols that agree before `query`, all of them
  std::uint64_t ahead;   ///< those from it on, as far as is known
  std::uint64_t most;    ///< that may agree from it on

  /// Where the pair begins in the query.
  GSX_HD std::uint64_t begin() const { return query - behind; }
  /// Whether `ahead` may be too little.
  GSX_HD bool is_open() const { return ahead < most; }
  template <bool Reverse>
  GSX_HD MatchPair pair() const {
    return {Reverse ? tail - ahead : tail - behind, Reverse, begin(), behind + ahead};
  }
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
    PairCandidate candidate;
    if (!start<Reverse>(p, q, stretch, candidate)) return false;
    go_on<Reverse>(candidate, candidate.most);
    if (!is_long_enough(candidate)) return false;
    pair = candidate.pair<Reverse>();
    return true;
  }

  /// Begins to make a pair, in steps: looks at few symbols. False if there is none.
  template <bool Reverse>
  GSX_HD bool start(std::uint64_t p, std::uint64_t q, const PlainStretch& stretch,
                    PairCandidate& candidate) const {
    const std::uint64_t tail = Reverse ? p + kmer : p, size = target.symbols.size;
    const std::uint64_t ahead_on_query = stretch.end - q, before_on_query = stretch.begin;
    const std::uint64_t room_ahead = Reverse ? tail : size - p;
    const std::uint64_t room_behind = Reverse ? size - tail : p;
    const std::uint64_t most_ahead = smaller(ahead_on_query, room_ahead);
    const std::uint64_t ahead = common_from<Reverse>(tail, q, smaller(most_ahead, first_look()));
    if (ahead < kmer) return false;
    const std::uint64_t most_behind = smaller(period, smaller(q - before_on_query, room_behind));
    std::uint64_t behind = common_before<Reverse>(tail, q, most_behind);
    // Separators are taken for symbols here, so this may be too much, but never too little.
    if (ahead < first_look() && ahead + behind < min_length) return false;
    const std::uint64_t segment = target.segments.segment_at(p);
    const std::uint64_t begin = target.segments.starts[segment];
    const std::uint64_t end = target.segments.starts[segment + 1] - 1;
    behind = smaller(behind, Reverse ? end - tail : tail - begin);
    if (behind >= period) return false;  // the k-mer `period` places before is sampled
    std::uint64_t most = smaller(ahead_on_query, Reverse ? tail - begin : end - tail);
    if (ahead < first_look()) most = smaller(ahead, most);
    candidate = {tail, q, behind, smaller(ahead, most), most};
    return true;
  }
  /// Looks at up to `count` symbols more, and closes the candidate where they differ.
  template <bool Reverse>
  GSX_HD void go_on(PairCandidate& candidate, std::uint64_t count) const {
    const std::uint64_t some = smaller(count, candidate.most - candidate.ahead);
    const std::uint64_t equal = common_after<Reverse>(candidate, 0, some);
    candidate.ahead += equal;
    if (equal < some) candidate.most = candidate.ahead;
  }
  /// How many of `most` symbols agree from `skip` symbols behind those that are known to. Pre:
  /// candidate.ahead + skip + most <= candidate.most.
  template <bool Reverse>
  GSX_HD std::uint64_t common_after(const PairCandidate& candidate, std::uint64_t skip,
                                    std::uint64_t most) const {
    const std::uint64_t known = candidate.ahead + skip;
    return common_from<Reverse>(Reverse ? candidate.tail - known : candidate.tail + known,
                                candidate.query + known, most);
  }
  GSX_HD bool is_long_enough(const PairCandidate& candidate) const {
    return candidate.behind + candidate.ahead >= min_length;
  }

 private:
  /// Symbols that are compared before anything is looked up: at least a k-mer.
  GSX_HD std::uint64_t first_look() const { return PairSampling::longest_kmer(query.bits); }
  GSX_HD static std::uint64_t smaller(std::uint64_t a, std::uint64_t b) { return a < b ? a : b; }
  template <bool Reverse>
  GSX_HD std::uint64_t common_from(std::uint64_t tail, std::uint64_t q, std::uint64_t most) const {
    return Reverse ? common_turned(target.symbols, tail, query, q, most)
                   : common_ahead(target.symbols, tail, query, q, most);
  }
  template <bool Reverse>
  GSX_HD std::uint64_t common_before(std::uint64_t tail, std::uint64_t q,
                                     std::uint64_t most) const {
    return Reverse ? common_turned(query, q, target.symbols, tail, most)
                   : common_behind(target.symbols, tail, query, q, most);
  }
};

}  // namespace gsx

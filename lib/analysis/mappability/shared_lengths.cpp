#include "analysis/mappability/shared_lengths.hpp"

#include <algorithm>
#include <vector>

#include "index/lcp/long_prefixes.hpp"
#include "index/lcp/marked_numbers.hpp"
#include "index/lcp/row_prefixes.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t rows_at_once = std::uint64_t{1} << 21;
constexpr std::uint64_t rows_per_slice = std::uint64_t{1} << 16;
constexpr std::uint8_t escape = SmallNumbers::escape;

}  // namespace

template <class Pos>
void SharedLengthsBuilder<Pos>::Nearest::limit(std::uint8_t lcp) {
  for (Row& row : rows)
    row.shared = std::min(row.shared, lcp);
}

template <class Pos>
void SharedLengthsBuilder<Pos>::Nearest::meet(Strand strand, Pos position, std::uint8_t shared) {
  if (!rows[strand].found) rows[strand] = {true, shared, position};
}

template <class Pos>
void SharedLengthsBuilder<Pos>::Nearest::meet_others(const Nearest& farther, std::uint8_t least) {
  for (const Strand strand : {forward, reverse}) {
    const Row& row = farther.rows[strand];
    if (row.found) meet(strand, row.position, std::min(least, row.shared));
  }
}

template <class Pos>
SharedLengthsBuilder<Pos>::SharedLengthsBuilder(const BothStrandsView& text, int threads,
                                                const RequireMemory& require)
    : text_(text),
      threads_(threads),
      compared_(static_cast<std::uint8_t>(
          std::max<std::uint64_t>(16, 2 * symbols_at_once(text.text.symbols.bits)))),
      shared_(text.half, "lengths shared by suffixes"),
      require_(require),
      growth_(require) {}

template <class Pos>
void SharedLengthsBuilder<Pos>::add(const Pos* rows, std::uint64_t count) {
  if (added_ == 0) touch_pages(shared_, threads_);
  for (std::uint64_t first = 0; first < count; first += rows_at_once) {
    compare(rows + first, std::min(rows_at_once, count - first));
    take_rows(complete_rows());
  }
}

/// Appends rows, and what each has in common with the one before it.
template <class Pos>
void SharedLengthsBuilder<Pos>::compare(const Pos* rows, std::uint64_t count) {
  const std::uint64_t known = rows_.size();
  rows_.append({rows, rows + count});
  lcps_.extend(count);
  // No row is taken before the next one is there, so only the very first has none before it.
  if (added_ == 0) lcps_[0] = 0;
  added_ += count;
  for_each_row_slice(std::max<std::uint64_t>(known, 1), rows_.size(), threads_,
                     [&](std::uint64_t begin, std::uint64_t end) {
                       for_each_row_prefix(text_.text, rows_.span().data(), begin, end, compared_,
                                           [&](std::uint64_t i, std::uint64_t lcp) {
                                             lcps_[i] = static_cast<std::uint8_t>(lcp);
                                           });
                     });
  std::array<bool, 2> found = {};
  for (std::uint64_t row = rows_.size(); row-- > known && !(found[0] && found[1]);) {
    const Strand strand = strand_of(rows_[row]);
    if (!found[strand]) behind_[strand] = row;
    found[strand] = true;
  }
}

/// Takes the first rows, and keeps the others.
template <class Pos>
void SharedLengthsBuilder<Pos>::take_rows(std::uint64_t count) {
  if (count == 0) return;
  const std::uint64_t slices = divide_up(count, rows_per_slice);
  const auto begin_of = [&](std::uint64_t s) { return std::min(count, s * rows_per_slice); };
  // The nearest rows above and below each slice.
  std::vector<Nearest> aboves(slices + 1), belows(slices + 1);
  aboves[0] = before_;
  belows[slices] = nearest_below(count, rows_.size(), {});
  for (std::uint64_t s = 0; s < slices; ++s)
    aboves[s + 1] = nearest_above(begin_of(s), begin_of(s + 1), aboves[s]);
  for (std::uint64_t s = slices; s-- > 0;)
    belows[s] = nearest_below(begin_of(s), begin_of(s + 1), belows[s + 1]);
  const auto at_once = static_cast<std::uint64_t>(threads_) * 4;
  std::vector<AllPairs> found(std::min(at_once, slices));
  for (std::uint64_t done = 0; done < slices; done += at_once) {
    parallel_for(threads_, std::min(at_once, slices - done), [&](std::uint64_t s, int) {
      const std::uint64_t slice = done + s;
      take_slice(begin_of(slice), begin_of(slice + 1), aboves[slice], belows[slice + 1], found[s]);
    });
    std::uint64_t kept = rows_.size() * (sizeof(Pos) + 1);
    for (const int strand : {0, 1}) {
      for (const int side : {0, 1}) {
        SuffixPairs<Pos>& all = pairs_[strand][side];
        for (AllPairs& some : found) {
          all.append(some[strand][side]);
          some[strand][side].clear();
        }
        kept += all.bytes();
      }
    }
    growth_.grown_to(kept);
  }
  before_ = aboves[slices];
  rows_.drop_first(count);
  lcps_.drop_first(count);
  for (std::uint64_t& behind : behind_)
    behind -= std::min(behind, count);
}

/// The nearest rows above row `end`, with what it would share with them if it shared all with the
/// row before it. `farther` are those above row `begin`.
template <class Pos>
typename SharedLengthsBuilder<Pos>::Nearest SharedLengthsBuilder<Pos>::nearest_above(
    std::uint64_t begin, std::uint64_t end, const Nearest& farther) const {
  Nearest nearest;
  std::uint8_t least = compared_;
  for (std::uint64_t row = end; row-- > begin && !has_all(nearest);) {
    nearest.meet(strand_of(rows_[row]), rows_[row], least);
    least = std::min(least, lcps_[row]);
  }
  nearest.meet_others(farther, least);
  return nearest;
}

/// The nearest rows from row `begin` on, with what the row before it shares with them. `farther`
/// are those from row `end` on.
template <class Pos>
typename SharedLengthsBuilder<Pos>::Nearest SharedLengthsBuilder<Pos>::nearest_below(
    std::uint64_t begin, std::uint64_t end, const Nearest& farther) const {
  Nearest nearest;
  std::uint8_t least = compared_;
  for (std::uint64_t row = begin; row < end && !has_all(nearest); ++row) {
    least = std::min(least, lcps_[row]);
    nearest.meet(strand_of(rows_[row]), rows_[row], least);
  }
  nearest.meet_others(farther, least);
  return nearest;
}

template <class Pos>
void SharedLengthsBuilder<Pos>::take_slice(std::uint64_t begin, std::uint64_t end, Nearest above,
                                           Nearest below, AllPairs& pairs) {
  std::vector<Shared> shared_above(end - begin);
  const auto pass = [&](Nearest& nearest, Pos p, const auto& on_forward) {
    const Strand strand = strand_of(p);
    if (strand == forward) on_forward();
    nearest.rows[strand] = {true, compared_, p};
  };
  for (std::uint64_t row = begin; row < end; ++row) {
    const Pos p = rows_[row];
    above.limit(lcps_[row]);
    pass(above, p, [&] {
      const std::uint8_t left = shared(p, above, forward, true, pairs);
      shared_above[row - begin] = {left, left, shared(p, above, reverse, true, pairs), 0};
    });
  }
  constexpr std::uint64_t ahead = 16;
  for (std::uint64_t row = end; row-- > begin;) {
    if (row >= begin + ahead && text_.is_forward(rows_[row - ahead]))
      __builtin_prefetch(&shared_[rows_[row - ahead]], 1);
    const Pos p = rows_[row];
    pass(below, p, [&] {
      Shared most = shared_above[row - begin];
      most.forward = std::max(most.forward, shared(p, below, forward, false, pairs));
      most.reverse = std::max(most.reverse, shared(p, below, reverse, false, pairs));
      shared_[p] = most;
    });
    below.limit(lcps_[row]);
  }
}

template <class Pos>
std::uint8_t SharedLengthsBuilder<Pos>::shared(Pos p, const Nearest& nearest, Strand strand,
                                               bool above, AllPairs& pairs) const {
  const auto& [found, length, partner] = nearest.rows[strand];
  if (!found) return 0;
  if (length < compared_) return length;
  pairs[strand][above ? 0 : 1].push(p, partner);
  return escape;
}

/// Lists of pairs are measured one after another, and dropped; so the largest one decides. Lengths
/// that no byte can hold take less than the pairs that are dropped before.
template <class Pos>
void SharedLengthsBuilder<Pos>::require_to_finish() const {
  if (!require_) return;
  std::uint64_t pairs = 0;
  for (const auto& sides : pairs_)
    pairs = std::max({pairs, sides[0].size(), sides[1].size()});
  const std::uint64_t lengths = SharedLengths::bytes(text_.half, both());
  require_(lengths + LongPrefixes<Pos>::bytes(2 * text_.text.length(), pairs));
}

template <class Pos>
SharedLengths SharedLengthsBuilder<Pos>::finish() {
  take_rows(rows_.size());
  rows_ = {};
  lcps_ = {};
  require_to_finish();
  const auto measured = [&](Strand strand, int side) {
    SuffixPairs<Pos>& pairs = pairs_[strand][side];
    LongPrefixes<Pos> lengths(text_.text, pairs.positions(), pairs.partners(), compared_, threads_);
    pairs = {};
    return lengths;
  };
  const auto larger = [&](std::uint8_t Shared::*member, const LongPrefixes<Pos>& a,
                          const LongPrefixes<Pos>& b) {
    return finish_marked<Pos>(bytes_of(member), threads_, [&](std::uint64_t p, std::uint64_t) {
      return std::max(a.length_at(p), b.length_at(p));
    });
  };
  std::optional<SmallNumbers> of_reverse;
  if (both()) of_reverse = larger(&Shared::reverse, measured(reverse, 0), measured(reverse, 1));
  const LongPrefixes<Pos> above = measured(forward, 0);
  SmallNumbers of_forward = larger(&Shared::forward, above, measured(forward, 1));
  SmallNumbers left =
      finish_marked<Pos>(bytes_of(&Shared::left), threads_,
                         [&](std::uint64_t p, std::uint64_t) { return above.length_at(p); });
  return {std::move(left), std::move(of_forward), std::move(of_reverse)};
}

template <class Pos>
Buffer<std::uint8_t> SharedLengthsBuilder<Pos>::bytes_of(std::uint8_t Shared::*member) const {
  Buffer<std::uint8_t> bytes(shared_.size(), "lengths shared by suffixes");
  for_each_row_slice(0, shared_.size(), threads_, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t p = begin; p < end; ++p)
      bytes[p] = shared_[p].*member;
  });
  return bytes;
}

template class SharedLengthsBuilder<std::uint32_t>;
template class SharedLengthsBuilder<std::uint64_t>;

}  // namespace gsx

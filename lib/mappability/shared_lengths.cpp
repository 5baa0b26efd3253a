#include "mappability/shared_lengths.hpp"

#include <algorithm>

#include "lcp/long_prefixes.hpp"
#include "lcp/marked_numbers.hpp"
#include "lcp/row_prefixes.hpp"

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
void SharedLengthsBuilder<Pos>::Pairs::append(const Pairs& others) {
  positions.insert(positions.end(), others.positions.begin(), others.positions.end());
  partners.insert(partners.end(), others.partners.begin(), others.partners.end());
}

template <class Pos>
SharedLengthsBuilder<Pos>::SharedLengthsBuilder(const BothStrandsView& text, int threads)
    : text_(text),
      threads_(threads),
      compared_(static_cast<std::uint8_t>(
          std::max<std::uint64_t>(16, 2 * symbols_at_once(text.text.symbols.bits)))),
      shared_(text.half, "lengths shared by suffixes") {}

template <class Pos>
void SharedLengthsBuilder<Pos>::add(const Pos* rows, std::uint64_t count) {
  for (std::uint64_t first = 0; first < count; first += rows_at_once) {
    compare(rows + first, std::min(rows_at_once, count - first));
    take_rows(complete_rows());
  }
}

/// Appends rows, and what each has in common with the one before it.
template <class Pos>
void SharedLengthsBuilder<Pos>::compare(const Pos* rows, std::uint64_t count) {
  const std::uint64_t known = rows_.size();
  rows_.insert(rows_.end(), rows, rows + count);
  lcps_.resize(known + count);
  // No row is taken before the next one is there, so only the very first has none before it.
  if (added_ == 0) lcps_[0] = 0;
  added_ += count;
  for_each_row_slice(std::max<std::uint64_t>(known, 1), rows_.size(), threads_,
                     [&](std::uint64_t begin, std::uint64_t end) {
                       for_each_row_prefix(text_.text, rows_.data(), begin, end, compared_,
                                           [&](std::uint64_t i, std::uint64_t lcp) {
                                             lcps_[i] = static_cast<std::uint8_t>(lcp);
                                           });
                     });
}

/// The rows that are followed by one of each strand.
template <class Pos>
std::uint64_t SharedLengthsBuilder<Pos>::complete_rows() const {
  std::uint64_t last[2] = {0, both() ? 0 : rows_.size()};
  bool found[2] = {false, !both()};
  for (std::uint64_t row = rows_.size(); row-- > 0 && !(found[0] && found[1]);) {
    const Strand strand = strand_of(rows_[row]);
    if (found[strand]) continue;
    found[strand] = true;
    last[strand] = row;
  }
  return std::min(last[0], last[1]);
}

/// Takes the first rows, and keeps the others.
template <class Pos>
void SharedLengthsBuilder<Pos>::take_rows(std::uint64_t count) {
  if (count == 0) return;
  const std::uint64_t slices = (count + rows_per_slice - 1) / rows_per_slice;
  std::vector<AllPairs> pairs(slices);
  for_each_row_slice(0, count, threads_, [&](std::uint64_t begin, std::uint64_t end) {
    take_slice(begin, end, pairs[begin / rows_per_slice]);
  });
  for (const AllPairs& some : pairs) {
    for (const int strand : {0, 1}) {
      for (const int side : {0, 1})
        pairs_[strand][side].append(some[strand][side]);
    }
  }
  before_ = before(count);
  rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(count));
  lcps_.erase(lcps_.begin(), lcps_.begin() + static_cast<std::ptrdiff_t>(count));
}

/// The nearest rows above a row, with what it would share with them if it shared all with the row
/// before it.
template <class Pos>
typename SharedLengthsBuilder<Pos>::Nearest SharedLengthsBuilder<Pos>::before(
    std::uint64_t row) const {
  Nearest nearest;
  std::uint8_t least = compared_;
  while (row-- > 0) {
    nearest.meet(strand_of(rows_[row]), rows_[row], least);
    if (nearest.rows[0].found && (nearest.rows[1].found || !both())) return nearest;
    least = std::min(least, lcps_[row]);
  }
  for (const Strand strand : {forward, reverse}) {
    const auto& known = before_.rows[strand];
    if (known.found) nearest.meet(strand, known.position, std::min(least, known.shared));
  }
  return nearest;
}

/// The nearest rows from a row on, with what the row before it shares with them.
template <class Pos>
typename SharedLengthsBuilder<Pos>::Nearest SharedLengthsBuilder<Pos>::after(
    std::uint64_t row) const {
  Nearest nearest;
  std::uint8_t least = compared_;
  for (; row < rows_.size(); ++row) {
    least = std::min(least, lcps_[row]);
    nearest.meet(strand_of(rows_[row]), rows_[row], least);
    if (nearest.rows[0].found && (nearest.rows[1].found || !both())) break;
  }
  return nearest;
}

template <class Pos>
void SharedLengthsBuilder<Pos>::take_slice(std::uint64_t begin, std::uint64_t end,
                                           AllPairs& pairs) {
  std::vector<Shared> shared_above(end - begin);
  const auto pass = [&](Nearest& nearest, Pos p, const auto& on_forward) {
    const Strand strand = strand_of(p);
    if (strand == forward) on_forward();
    nearest.rows[strand] = {true, compared_, p};
  };
  Nearest above = before(begin);
  for (std::uint64_t row = begin; row < end; ++row) {
    const Pos p = rows_[row];
    above.limit(lcps_[row]);
    pass(above, p, [&] {
      const std::uint8_t left = shared(p, above, forward, true, pairs);
      shared_above[row - begin] = {left, left, shared(p, above, reverse, true, pairs), 0};
    });
  }
  constexpr std::uint64_t ahead = 16;
  Nearest below = after(end);
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
  Pairs& more = pairs[strand][above ? 0 : 1];
  more.positions.push_back(p);
  more.partners.push_back(partner);
  return escape;
}

template <class Pos>
std::uint64_t SharedLengthsBuilder<Pos>::bytes_to_finish() const {
  std::uint64_t pairs = 0;
  for (const auto& sides : pairs_)
    pairs = std::max<std::uint64_t>(pairs, sides[0].positions.size() + sides[1].positions.size());
  return pairs * 2 * sizeof(Pos) + 2 * text_.text.length() / 6 + text_.half / 10;
}

template <class Pos>
SharedLengths SharedLengthsBuilder<Pos>::finish() {
  take_rows(rows_.size());
  const auto measured = [&](Strand strand, int side) {
    Pairs& pairs = pairs_[strand][side];
    LongPrefixes<Pos> lengths(text_.text, pairs.positions, pairs.partners, compared_, threads_);
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

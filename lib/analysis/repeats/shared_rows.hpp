// The rows of a suffix array whose suffixes have much in common with a neighbour.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "base/buffer.hpp"
#include "base/memory_growth.hpp"
#include "index/lcp/long_prefixes.hpp"
#include "index/lcp/suffix_pairs.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Pairs of neighbouring rows of a suffix array whose suffixes agree on at least `least` symbols,
/// in the order of the rows, and the lengths of what they agree on. Pairs that follow one another
/// in the suffix array make a group: all suffixes of a group begin with the same `least` symbols.
///
/// Rows have numbers: pair i is of the rows i and i + 1. The last row of a group and the first one
/// of the next have the same number, which means one or the other within a group.
/// Memory: 12 bytes per pair (24 of wide positions), and 1.33 bits per symbol of the text.
template <class Pos>
class SharedRows {
 public:
  /// Takes what SharedRowsBuilder has found. Pre: as for LongPrefixes.
  SharedRows(const TextView& text, std::uint64_t least, std::uint64_t known, SuffixPairs<Pos> pairs,
             int threads)
      : least_(least),
        pairs_(std::move(pairs)),
        lengths_(text, pairs_.positions(), pairs_.partners(), known, threads) {}

  std::uint64_t pairs() const { return pairs_.size(); }
  std::uint64_t least() const { return least_; }
  /// Position of a row of the group whose first row is `first`.
  Pos row(std::uint64_t first, std::uint64_t number) const {
    return number == first ? upper()[first] : lower()[number - 1];
  }

  /// Calls actions.begin(row, position) for the first row of each group, actions.add(row, position,
  /// lcp) for each further row, where `lcp` is the length of what it has in common with the row
  /// before, and actions.end() after the last. actions.look_ahead(position) is called before: it
  /// may prefetch. on_progress(fraction) is called now and then. Cost: two random loads per row.
  template <class Actions, class OnProgress>
  void for_each_group(Actions& actions, const OnProgress& on_progress) const {
    const std::span<const Pos> lower = this->lower(), upper = this->upper();
    Buffer<Pos> lengths(std::min(at_once, pairs()), "repeats");
    bool is_open = false;
    for (std::uint64_t first = 0; first < pairs(); first += at_once) {
      on_progress(static_cast<double>(first) / static_cast<double>(pairs()));
      const std::uint64_t count = std::min(at_once, pairs() - first);
      lengths_.copy_lengths(lower.subspan(first, count), lengths.span().first(count));
      for (std::uint64_t i = first; i < first + count; ++i) {
        actions.look_ahead(lower[std::min(i + ahead, pairs() - 1)]);
        const bool follows = is_open && upper[i] == lower[i - 1];
        const Pos lcp = lengths[i - first];
        if (is_open && (!follows || lcp < least_)) actions.end();
        if (!follows && lcp >= least_) actions.begin(i, upper[i]);
        is_open = lcp >= least_;
        if (is_open) actions.add(i + 1, lower[i], lcp);
      }
    }
    if (is_open) actions.end();
  }

 private:
  static constexpr std::uint64_t at_once = std::uint64_t{1} << 16;
  static constexpr std::uint64_t ahead = 16;

  std::span<const Pos> lower() const { return pairs_.positions(); }
  std::span<const Pos> upper() const { return pairs_.partners(); }

  std::uint64_t least_;
  SuffixPairs<Pos> pairs_;  ///< the lower row of each, and the upper one
  LongPrefixes<Pos> lengths_;
};

/// Finds them in the rows of a suffix array, which come in order, some at a time, and are needed
/// once. Rows are compared on at most 512 symbols; SharedRows measures the others in the order of
/// the text, so that long repeats cost no more than short ones. Memory: that of SuffixPairs. Cost:
/// one random line of the text per row, and a load per 29 bases that rows have in common.
template <class Pos>
class SharedRowsBuilder {
 public:
  /// Pre: least > 0. Asks `require` while pairs are found, and in finish().
  SharedRowsBuilder(const TextView& text, std::uint64_t least, int threads,
                    RequireMemory require = {});

  void add(const Pos* rows, std::uint64_t count);
  /// Pre: add() has had all rows. Call it once.
  SharedRows<Pos> finish();

 private:
  void compare(const Pos* rows, std::uint64_t begin, std::uint64_t end,
               SuffixPairs<Pos>& pairs) const;

  TextView text_;
  std::uint64_t least_;
  std::uint64_t compared_;  ///< symbols of each two rows; at most least_
  int threads_;
  RequireMemory require_;
  MemoryGrowth growth_;
  std::optional<Pos> last_;  ///< position in the last row that was added
  SuffixPairs<Pos> pairs_;
};

}  // namespace gsx

// Backward search for patterns whose symbols stand for several codes: many walks in flight.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/fm/fm_view.hpp"
#include "search/exact/index_fault.hpp"
#include "search/exact/search_state.hpp"
#include "search/exact/searcher.hpp"
#include "search/exact/walk_steps.hpp"
#include "text/equal_letters.hpp"

namespace gsx {

/// Finds the rows of all strings that patterns match, pattern by pattern, a walk for each string.
/// The walks that were begun last are taken first, so that few wait: as many for each symbol of a
/// pattern as its class has codes.
template <class Pos>
class EqualWalks {
 public:
  /// Refers to all that it is given. Pre: a class for each code of a pattern but `none`.
  EqualWalks(const FmView& fm, const CodeClasses& classes, const Patterns& patterns)
      : fm_(fm), classes_(classes), patterns_(patterns) {}

  /// Calls take(pattern, rows) for the rows of each string that a pattern matches, which are not
  /// empty; in any order. Throws CorruptIndexError. Cost: that of an exact search for each string.
  template <class Take>
  void run(const Take& take) {
    std::size_t next = 0;
    for (;;) {
      while (waiting_.size() < searches_in_flight && next < patterns_.size())
        start(next++, take);
      if (waiting_.empty()) return;
      const std::size_t count = std::min(searches_in_flight, waiting_.size());
      std::copy(waiting_.end() - static_cast<std::ptrdiff_t>(count), waiting_.end(),
                stepped_.begin());
      waiting_.resize(waiting_.size() - count);
      step(count, take);
    }
  }

 private:
  /// Most words that a k-mer of a pattern may stand for so that all are looked up.
  static constexpr std::uint64_t most_kmers = 64;

  struct Branch {
    std::size_t pattern;
    std::uint64_t left;  ///< symbols before `code`
    Interval<Pos> rows;  ///< of the symbols behind it
    std::uint8_t code;
  };

  const std::vector<std::uint8_t>* class_at(std::size_t pattern, std::uint64_t i) const {
    const std::uint8_t code = patterns_[pattern][i];
    return code < classes_.size() ? &classes_[code] : nullptr;
  }

  /// Begins with the k-mers that the end of the pattern stands for, if they are not too many.
  template <class Take>
  void start(std::size_t pattern, const Take& take) {
    const std::uint64_t length = patterns_[pattern].size(), k = fm_.kmers.k;
    if (length == 0) return;
    std::uint64_t words = 1;
    for (std::uint64_t i = 0; i < k && i < length && words <= most_kmers; ++i) {
      const auto* codes = class_at(pattern, length - 1 - i);
      words *= codes == nullptr ? 0 : codes->size();
    }
    if (words == 0) return;
    if (k == 0 || length < k || words > most_kmers)
      return go_on(pattern, length, fm_.template all<Pos>(), take);
    for (std::uint64_t word = 0; word < words; ++word) {
      std::uint64_t rest = word, i = length;
      const std::uint64_t slot = fm_.kmers.slot([&]() -> std::uint32_t {
        const auto& codes = *class_at(pattern, --i);
        const std::uint32_t code = codes[rest % codes.size()];
        rest /= codes.size();
        return code;
      });
      if (slot == KmerView::none) continue;
      const auto rows = fm_.kmers.template interval<Pos>(slot);
      if (rows.begin >= rows.end) continue;
      if (rows.end > fm_.rows()) throw_index_fault();
      go_on(pattern, length - k, rows, take);
    }
  }

  /// The pattern's symbols from `left` on have these rows.
  template <class Take>
  void go_on(std::size_t pattern, std::uint64_t left, Interval<Pos> rows, const Take& take) {
    if (left == 0) return take(pattern, rows);
    const auto* codes = class_at(pattern, left - 1);
    if (codes == nullptr) return;
    for (const std::uint8_t code : *codes) {
      waiting_.push_back({pattern, left - 1, rows, code});
      NoMeter meter;
      prefetch_ranks(fm_.bwt.levels[0], rows.begin, rows.end, meter);
    }
  }

  /// Takes branches to their next symbols, level by level.
  template <class Take>
  void step(std::size_t count, const Take& take) {
    for (std::uint32_t level = 0; level < fm_.bwt.level_count; ++level) {
      const QuadView& here = fm_.bwt.levels[level];
      std::size_t kept = 0;
      for (std::size_t i = 0; i < count; ++i) {
        Branch branch = stepped_[i];
        Interval<Pos>& rows = branch.rows;
        here.sorted_ranks(fm_.bwt.digit_of(branch.code, level),
                          QuadView::block_position(rows.begin), rows.count(), rows.begin, rows.end);
        if (rows.begin >= rows.end) continue;
        if (level + 1 < fm_.bwt.level_count) {
          NoMeter meter;
          prefetch_ranks(fm_.bwt.levels[level + 1], rows.begin, rows.end, meter);
        }
        stepped_[kept++] = branch;
      }
      count = kept;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Branch& branch = stepped_[i];
      const auto shift = static_cast<Pos>(fm_.c_offset[branch.code]);
      const Interval<Pos> rows{branch.rows.begin + shift, branch.rows.end + shift};
      if (rows.begin >= rows.end || rows.end > fm_.rows()) throw_index_fault();
      go_on(branch.pattern, branch.left, rows, take);
    }
  }

  const FmView& fm_;
  const CodeClasses& classes_;
  const Patterns& patterns_;
  std::vector<Branch> waiting_;
  std::array<Branch, searches_in_flight> stepped_;
};

}  // namespace gsx

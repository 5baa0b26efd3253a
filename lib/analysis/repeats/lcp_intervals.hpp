// The LCP intervals of a group of rows, from the innermost to the outermost.
#pragma once

#include <cstdint>
#include <utility>

#include "arrays/minima/growing_array.hpp"
#include "base/memory_growth.hpp"

namespace gsx {

/// An LCP interval: the rows of all suffixes that begin with the same `length` symbols, such that
/// two of them go on with different ones.
struct LcpInterval {
  std::uint64_t length;
  std::uint64_t first_row, last_row;
  bool has_inner;     ///< whether an interval of a larger length lies in it
  bool is_outermost;  ///< whether it holds all rows of its group

  std::uint64_t rows() const { return last_row - first_row + 1; }
};

/// Finds them with a stack (Abouelhoda, Kurtz and Ohlebusch, Replacing suffix trees with enhanced
/// suffix arrays, J. Discrete Algorithms 2004, section 4): every interval comes after those that
/// lie in it. Each row and each interval has a summary, of which those of outer intervals are made:
///   actions.merge(into, summary, length)  adds a row or an inner interval to an interval
///   actions.close(interval, summary)      called once all of an interval is known
/// Cost: O(1) calls per row. Memory: one entry for each interval that a row lies in, at most.
template <class Pos, class Actions>
class LcpIntervals {
 public:
  using Summary = typename Actions::Summary;

  LcpIntervals(Actions& actions, RequireMemory require)
      : actions_(actions), growth_(std::move(require)) {}

  /// Starts a group with its first row.
  void begin(std::uint64_t row, const Summary& summary) {
    last_ = {0, static_cast<Pos>(row), false, summary};
    last_row_ = row;
  }
  /// Adds a row that has `length` > 0 symbols in common with the row before.
  void add(std::uint64_t row, std::uint64_t length, const Summary& summary) {
    close_longer(length);
    if (stack_.empty() || stack_.back().length < length) {
      stack_.push({static_cast<Pos>(length), last_.first, last_.length != 0, last_.summary});
      growth_.grown_to(stack_.size() * sizeof(Entry));
    } else {
      merge_last();
    }
    last_ = {0, static_cast<Pos>(row), false, summary};
    last_row_ = row;
  }
  void end() { close_longer(0); }

 private:
  /// An interval that more rows may come to, or a row: then its length is 0.
  struct Entry {
    Pos length = 0;
    Pos first = 0;
    bool has_inner = false;
    Summary summary;
  };

  void close_longer(std::uint64_t length) {
    while (!stack_.empty() && stack_.back().length > length) {
      merge_last();
      last_ = stack_.back();
      stack_.pop();
      const bool is_outermost = length == 0 && stack_.empty();
      actions_.close({last_.length, last_.first, last_row_, last_.has_inner, is_outermost},
                     last_.summary);
    }
  }
  void merge_last() {
    Entry& top = stack_.back();
    if (last_.length != 0) top.has_inner = true;
    actions_.merge(top.summary, last_.summary, top.length);
  }

  Actions& actions_;
  MemoryGrowth growth_;
  GrowingArray<Entry> stack_;
  Entry last_;  ///< the last row, or the interval that was closed last
  std::uint64_t last_row_ = 0;
};

}  // namespace gsx

// Nearest smaller values in one chunk of an array, and what the chunk cannot resolve alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "arrays/minima/growing_array.hpp"
#include "arrays/minima/no_position.hpp"
#include "base/memory_growth.hpp"

namespace gsx {

/// One chunk. resolve_inside() of all chunks comes before find_lefts() of any, and that before
/// find_rights(); different chunks may be in different threads.
template <class Value, class Position, Smaller left_rule, Smaller right_rule>
class SmallerChunk {
 public:
  /// Emits the elements whose neighbours are both in [begin, end), and keeps the others. Asks
  /// `require` for their memory as they come.
  template <class Emit, class Read>
  void resolve_inside(std::span<const Value> values, std::uint64_t begin, std::uint64_t end,
                      const Emit& emit, const Read& read, const RequireMemory& require) {
    const Value* const all = values.data();
    is_first_ = begin == 0;
    GrowingArray<Open> stack;
    MemoryGrowth growth(require);
    for (std::uint64_t at = begin; at < end; ++at) {
      read(at);
      const Value value = all[at];
      const auto i = static_cast<Position>(at);
      Position equal = none;
      while (!stack.empty() && is_right(stack.back().value, value)) {
        const Open open = stack.back();
        stack.pop();
        if constexpr (left_rule == Smaller::or_equal && right_rule == Smaller::or_equal)
          equal = open.value == value ? open.index : none;
        pop(open, stack.size(), i, emit);
      }
      stack.push({i, left_of(i, value, stack, equal), value});
      growth.grown_to(stack.size() * sizeof(Open) + without_left_.size() * sizeof(Pending));
    }
    stack.shrink();
    without_right_ = std::move(stack);
  }

  /// Finds the left neighbours that lie in earlier chunks. Emits the elements whose right
  /// neighbours are known.
  template <class Emit>
  void find_lefts(std::span<const SmallerChunk> chunks, std::uint64_t self, const Emit& emit) {
    const std::uint64_t with_right = without_left_.size() - without_both_;
    std::uint64_t chunk = self, at = 0;  // the answer is at or before the first `at` of `chunk`
    for (std::uint64_t k = 0; k < without_left_.size(); ++k) {
      const Pending& pending = without_left_[k];
      const auto smaller = [&](Value other) { return is_left(other, pending.value); };
      bool found = false;
      if (chunk < self && at > 0 && smaller(chunks[chunk].least())) {
        found = true;
      } else {
        while (!found && chunk > 0) {
          --chunk;
          found = !chunks[chunk].without_right_.empty() && smaller(chunks[chunk].least());
        }
        at = found ? chunks[chunk].without_right_.size() : 0;
      }
      Position left = none;
      if (found) {
        const GrowingArray<Open>& open = chunks[chunk].without_right_;
        at -=
            gallop(at - 1, [&](std::uint64_t back) { return smaller(open[at - 1 - back].value); });
        left = open[at - 1].index;
      }
      if (k < with_right) {
        emit(pending.index, left, pending.right);
      } else {
        without_right_[k - with_right].left = left;
      }
    }
  }

  /// Finds the right neighbours that lie in later chunks, and emits what is left.
  template <class Emit>
  void find_rights(std::span<const SmallerChunk> chunks, std::uint64_t self,
                   const Emit& emit) const {
    std::uint64_t chunk = self, at = 0;
    for (std::uint64_t k = without_right_.size(); k-- > 0;) {
      const Open& open = without_right_[k];
      const auto smaller = [&](Value other) { return is_right(open.value, other); };
      bool found = chunk > self && chunk < chunks.size() && smaller(chunks[chunk].least());
      if (!found) {
        while (!found && chunk < chunks.size()) {
          ++chunk;
          found = chunk < chunks.size() && !chunks[chunk].without_left_.empty() &&
                  smaller(chunks[chunk].least());
        }
        at = 0;
      }
      Position right = none;
      if (found) {
        const GrowingArray<Pending>& pending = chunks[chunk].without_left_;
        at += gallop(pending.size() - 1 - at,
                     [&](std::uint64_t ahead) { return smaller(pending[at + ahead].value); });
        right = pending[at].index;
      }
      emit(open.index, open.left, right);
    }
  }

 private:
  static constexpr Position none = no_position<Position>;

  /// An element whose right neighbour has not come; `left` is wrong while it is not known.
  struct Open {
    Position index;
    Position left;
    Value value;
  };
  /// An element whose left neighbour is not in the chunk; `right` if that is in the chunk.
  struct Pending {
    Position index;
    Position right;
    Value value;
  };

  /// Whether `next` is the right neighbour of an earlier element.
  static bool is_right(Value earlier, Value next) {
    return right_rule == Smaller::strictly ? next < earlier : next <= earlier;
  }
  static bool is_left(Value earlier, Value value) {
    return left_rule == Smaller::strictly ? earlier < value : earlier <= value;
  }

  /// The least value of the chunk.
  Value least() const { return without_right_[0].value; }

  /// Takes note that element `i` is the right neighbour of the entry at `depth` of the stack.
  template <class Emit>
  void pop(const Open& open, std::uint64_t depth, Position i, const Emit& emit) {
    if (depth >= without_both_) {
      emit(open.index, open.left, i);
    } else {
      without_left_[without_left_.size() - without_both_ + depth].right = i;
      if (depth == 0) without_both_ = 0;
    }
  }

  /// The left neighbour of element i, which is about to be pushed. `equal` is an equal element that
  /// has just been popped. Makes the element pending if its neighbour is not in the chunk.
  Position left_of(Position i, Value value, const GrowingArray<Open>& stack, Position equal) {
    if (equal != none) return equal;
    if (!stack.empty()) {
      const Open& below = stack[stack.size() - 1];
      if (left_rule == Smaller::or_equal || right_rule == Smaller::or_equal || below.value != value)
        return below.index;
      if (stack.size() > without_both_) return below.left;
    }
    if (is_first_) return none;
    without_left_.push({i, none, value});
    ++without_both_;
    return none;
  }

  /// The first k in [0, last] for which test(k) holds. Pre: test(last) holds, and where it holds it
  /// does so for all that follow. Cost: O(log k).
  template <class Test>
  static std::uint64_t gallop(std::uint64_t last, const Test& test) {
    if (test(0)) return 0;
    std::uint64_t fails = 0, step = 1;
    while (fails + step < last && !test(fails + step)) {
      fails += step;
      step *= 2;
    }
    std::uint64_t holds = std::min(last, fails + step);
    while (fails + 1 < holds) {
      const std::uint64_t middle = fails + (holds - fails) / 2;
      (test(middle) ? holds : fails) = middle;
    }
    return holds;
  }

  GrowingArray<Pending> without_left_;  ///< values descend; empty in the first chunk
  GrowingArray<Open> without_right_;    ///< values ascend
  /// How many have neither: the last ones of without_left_ are the first of without_right_.
  std::uint64_t without_both_ = 0;
  bool is_first_ = false;  ///< then no element has to wait for a left neighbour
};

}  // namespace gsx

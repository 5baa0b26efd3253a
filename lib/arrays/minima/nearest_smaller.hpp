// All nearest smaller values: for each element of an array, the nearest smaller one on either side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "arrays/minima/no_position.hpp"
#include "arrays/minima/smaller_chunk.hpp"
#include "base/memory_growth.hpp"
#include "base/parallel.hpp"

namespace gsx {

/// Below this many elements per chunk, the start of a thread takes longer than its work.
inline constexpr std::uint64_t least_smaller_chunk = std::uint64_t{1} << 15;

/// Does nothing when an element is read.
struct NothingRead {
  void operator()(std::uint64_t) const {}
};

/// for_each_nearest_smaller() with the array cut into `chunks` chunks. The result does not depend
/// on their number, but for the order of the calls. Pre: chunks > 0.
template <Smaller left_rule, Smaller right_rule, class Position, class Value, class Emit,
          class Read = NothingRead>
void nearest_smaller_in_chunks(std::span<const Value> values, std::uint64_t chunks, int threads,
                               const Emit& emit, const Read& read = {},
                               const RequireMemory& require = {}) {
  using Chunk = SmallerChunk<Value, Position, left_rule, right_rule>;
  std::vector<Chunk> all(chunks);
  parallel_for(threads, chunks, [&](std::uint64_t c, int) {
    const Slice slice = slice_of(values.size(), chunks, c);
    all[c].resolve_inside(values, slice.begin, slice.end, emit, read, require);
  });
  const std::span<Chunk> others(all);
  parallel_for(threads, chunks, [&](std::uint64_t c, int) { all[c].find_lefts(others, c, emit); });
  parallel_for(threads, chunks, [&](std::uint64_t c, int) { all[c].find_rights(others, c, emit); });
}

/// Calls emit(i, left, right) once for each index i of `values`, in any order: `left` is the
/// largest j < i, and `right` the smallest j > i, whose value is smaller than values[i], or equal
/// to it where the rule of that side is Smaller::or_equal; no_position<Position> where there is
/// none. Several threads call `emit` at once. read(i) is called before element i is read, in
/// ascending order within each of at most 4 `threads` chunks: it may prefetch what emit will need.
///
/// Each chunk has a stack of the elements whose right neighbour has not come yet. What a chunk
/// cannot resolve is monotone: the elements without a left neighbour descend, and those without a
/// right one ascend. So one pass through the leftovers of other chunks, with a galloping search,
/// finds the rest.
///
/// Pre: Value is an unsigned integer, values.size() <= no_position<Position>. Throws ResourceError
/// or std::bad_alloc, and what `emit` and `require` throw, which is asked before leftovers grow.
/// Memory: three numbers for each leftover; none to speak of for values in random order, one
/// leftover per element of a sorted array, two where values are equal and the rules strict. Cost:
/// O(n / threads * log(threads)) for every array.
template <Smaller left_rule, Smaller right_rule, class Position, class Value, class Emit,
          class Read = NothingRead>
void for_each_nearest_smaller(std::span<const Value> values, int threads, const Emit& emit,
                              const Read& read = {}, const RequireMemory& require = {}) {
  static_assert(std::is_unsigned_v<Value>);
  static_assert(std::is_unsigned_v<Position>);
  const auto wanted = threads <= 1 ? 1 : static_cast<std::uint64_t>(threads) * 4;
  const std::uint64_t most = std::max<std::uint64_t>(1, values.size() / least_smaller_chunk);
  nearest_smaller_in_chunks<left_rule, right_rule, Position>(values, std::min(wanted, most),
                                                             threads, emit, read, require);
}

/// Calls work.template operator()<left, right>() with the rules as constants.
template <class Work>
void with_smaller_rules(const SmallerRules& rules, const Work& work) {
  constexpr Smaller strictly = Smaller::strictly, or_equal = Smaller::or_equal;
  if (rules.left == strictly) {
    rules.right == strictly ? work.template operator()<strictly, strictly>()
                            : work.template operator()<strictly, or_equal>();
  } else {
    rules.right == strictly ? work.template operator()<or_equal, strictly>()
                            : work.template operator()<or_equal, or_equal>();
  }
}

/// Writes what for_each_nearest_smaller() finds to left[i] and right[i]; an empty span takes
/// nothing. Pre: both have values.size() elements or none.
template <class Value, class Position>
void nearest_smaller(std::span<const Value> values, const SmallerRules& rules,
                     std::span<Position> left, std::span<Position> right, int threads) {
  Position* const lefts = left.empty() ? nullptr : left.data();
  Position* const rights = right.empty() ? nullptr : right.data();
  with_smaller_rules(rules, [&]<Smaller left_rule, Smaller right_rule>() {
    for_each_nearest_smaller<left_rule, right_rule, Position>(
        values, threads, [lefts, rights](Position i, Position before, Position after) {
          if (lefts != nullptr) lefts[i] = before;
          if (rights != nullptr) rights[i] = after;
        });
  });
}

}  // namespace gsx

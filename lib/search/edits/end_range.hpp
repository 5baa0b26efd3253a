// Finds the ends of a pattern in a part of a segment, as in the whole of it.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "search/edits/strand_text.hpp"
#include "search/edits/valley.hpp"

namespace gsx {

/// Ends [first, last) of a strand's segment: end j lies behind its first j symbols.
struct EndRange {
  std::uint64_t first;  ///< at least 1
  std::uint64_t last;   ///< at most 1 + the length of the segment
};

/// Which ends are taken: with up to so many edits, and all of them or only those of valleys.
struct EndRule {
  std::uint32_t edits;
  bool all_ends;
};

/// Which hits of valleys belong to a range.
enum class EndsOf : std::uint8_t {
  floors_that_begin,  ///< those whose floors begin in it, wherever they end
  floors_that_end,    ///< those that lie in it
};

/// Goes to a place and gives its value. Columns from length + edits symbols before a place on give
/// D of it, and of all that follow, as those of the whole segment do, if values above `edits` are
/// not told apart: a substring with a distance of at most `edits` has no more symbols than that.
template <class Column>
GSX_HD StrandReader go_to(const StrandText& text, std::uint64_t length, std::uint32_t edits,
                          std::uint64_t place, Column& column) {
  const std::uint64_t reach = length + edits;
  std::uint64_t at = place < reach ? 0 : place - reach;
  StrandReader reader(text, at);
  column.restart();
  for (; at < place; ++at)
    column.step(reader.next());
  return reader;
}

/// Calls take(end, edits) for each hit that belongs to the range, in order. With all_ends, that is
/// each end in it with at most `edits` edits. Otherwise floors are cut nowhere: the value before
/// the range is known (go_to()), so it is known where floors begin, and the last floor is followed
/// beyond the range until it is judged by its own neighbours.
///
/// * floors_that_begin: ranges that share no end, and together have all ends with at most `edits`,
///   find each hit of the segment once, and no others. For a floor of at most `edits` begins in one
///   of them; there, D before the floor differs from it and is known. A floor that began before the
///   range is left to another range, where it begins. (`is_lower` is not read.)
/// * floors_that_end: the same is true, and hits lie in the ranges that find them, which can so be
///   asked in any order. `is_lower` must tell whether the value before the floor of end first - 1
///   is larger than that (is_lower_floor()); it does not matter if that end has more than `edits`.
///
/// Pre: the column is of the pattern, which has `length` symbols. Cost: a step of the column per
/// end of the range, and length + edits before it; the rest of the last floor that begins in it.
template <class Column, class Take>
GSX_HD void take_ends(const StrandText& text, std::uint64_t length, Column& column,
                      const EndRange& range, const EndRule& rule, EndsOf which, bool is_lower,
                      const Take& take) {
  const bool follows = which == EndsOf::floors_that_begin;
  std::uint64_t at = range.first - 1;  // the last end that is known
  StrandReader reader = go_to(text, length, rule.edits, at, column);
  // Before the first symbol, the value is the pattern's length, which is above `edits`.
  Valley valley =
      at == 0 ? Valley(rule.edits) : Valley(rule.edits, column.value(), is_lower && !follows);
  for (; at + 1 < range.last; ++at) {
    column.step(reader.next());
    const std::uint32_t value = column.value(), before = valley.value();
    if (rule.all_ends) {
      if (value <= rule.edits) take(at + 1, value);
    } else if (valley.step(value) && at >= range.first) {
      take(at, before);
    }
  }
  if (rule.all_ends || at < range.first) return;
  const std::uint32_t value = valley.value();
  for (; valley.is_open(); ++at) {
    if (at == text.length()) {
      take(at, value);
      return;
    }
    column.step(reader.next());
    if (valley.step(column.value())) take(at, value);
    if (valley.value() != value || !follows) return;
  }
}

/// A floor that has been looked at.
struct KnownFloor {
  std::uint64_t first = 1;  ///< where it begins
  std::uint64_t last = 0;   ///< some end of it
  bool is_lower = false;    ///< than the value before it
};

/// Whether the value before the floor of `end` is larger than that of the floor, which is at most
/// `edits`. Looks back until the value differs, or until a place of the floor that is `known`, to
/// which it adds what it has seen. Cost: four times the columns from there to `end`.
template <class Column>
GSX_HD bool is_lower_floor(const StrandText& text, std::uint64_t length, Column& column,
                           std::uint64_t end, std::uint32_t edits, KnownFloor& known) {
  if (known.first <= end && end <= known.last) return known.is_lower;
  for (std::uint64_t back = 64;; back *= 4) {
    const std::uint64_t begin = end < back ? 0 : end - back;
    StrandReader reader = go_to(text, length, edits, begin, column);
    Valley valley(edits, column.value(), true);
    std::uint64_t first = begin;  // of the floor, as far as it is seen
    for (std::uint64_t at = begin + 1; at <= end; ++at) {
      const std::uint32_t before = valley.value();
      column.step(reader.next());
      valley.step(column.value());
      if (valley.value() != before) first = at;
    }
    if (first != begin) {
      known = {first, end, valley.is_lower()};
      return known.is_lower;
    }
    if (known.first <= begin && begin <= known.last) {
      known.last = end;
      return known.is_lower;
    }
  }
}

}  // namespace gsx

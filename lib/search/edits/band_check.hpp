// Tells quickly of a few ends whether one of them may be a hit of a long pattern.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "search/edits/end_range.hpp"
#include "search/edits/pattern_masks.hpp"
#include "search/edits/strand_text.hpp"

namespace gsx {

/// Whether a band of one word has room for the ends of a range.
GSX_HD constexpr bool has_band(const EndRange& range, std::uint32_t edits) {
  return range.last - range.first + 2 * std::uint64_t{edits} <= 64;
}

/// 64 rows of a mask, from row `from` on (from 0): those before the first are set, those behind the
/// last are not.
GSX_HD std::uint64_t mask_rows(const std::uint64_t* mask, std::uint32_t words, std::int64_t from) {
  if (from <= -64) return ~std::uint64_t{0};
  if (from < 0) return mask[0] << -from | ((std::uint64_t{1} << -from) - 1);
  const auto word = static_cast<std::uint64_t>(from) / 64;
  const auto shift = static_cast<std::uint64_t>(from) % 64;
  if (word >= words) return 0;
  const std::uint64_t low = mask[word] >> shift;
  if (shift == 0 || word + 1 >= words) return low;
  return low | mask[word + 1] << (64 - shift);
}

/// The least of the values of some rows of a column: `value` of one, those of the `bit` rows above
/// it, and of the `down` rows below it. Bit `bit` - 1 of the differences tells how that one differs
/// from the row above.
GSX_HD std::int64_t least_value(std::uint64_t plus, std::uint64_t minus, std::int64_t value,
                                std::uint32_t bit, std::uint32_t down) {
  std::int64_t least = value, at = value;
  for (std::uint32_t b = bit; b-- > 0;) {
    at += static_cast<std::int64_t>(minus >> b & 1) - static_cast<std::int64_t>(plus >> b & 1);
    least = at < least ? at : least;
  }
  at = value;
  for (std::uint32_t b = bit; b < bit + down; ++b) {
    at += static_cast<std::int64_t>(plus >> b & 1) - static_cast<std::int64_t>(minus >> b & 1);
    least = at < least ? at : least;
  }
  return least;
}

/// Whether some end of the range has at most `edits` edits. Computes 64 diagonals of the matrix,
/// one word per column, whose rows go down by one from column to column (Hyyro 2003, section on
/// banded alignment). An alignment with so few edits that ends in the range stays on the first ones
/// of them; cells beside them are taken to be at least what they are. Stops where all of those are
/// above `edits`. Pre: has_band(range, edits). Cost: about 20 operations per column, of which there
/// are at most length + edits and those of the range.
GSX_HD bool has_end_in(const StrandText& text, const PatternMasksView& pattern,
                       const EndRange& range, std::uint32_t edits) {
  constexpr std::int64_t columns_between_looks = 16;
  const auto length = static_cast<std::int64_t>(pattern.length);
  const auto first = static_cast<std::int64_t>(range.first);
  const auto last = static_cast<std::int64_t>(range.last) - 1;  // the last end
  // Bit b of column j is row j + lowest + b. Rows from 1 on are those of the pattern; row 0 and
  // those above have the value 0, as if they matched everything.
  const std::int64_t lowest = length - last - static_cast<std::int64_t>(edits);
  // The diagonal that leads to the first end, and those below that an alignment may use.
  const auto tracked = static_cast<std::uint32_t>(last - first) + edits;
  const std::int64_t highest = lowest + tracked + edits;
  const std::int64_t begin = highest < 0 ? -highest : 0;
  StrandReader reader(text, static_cast<std::uint64_t>(begin));
  // How the rows of the next column differ from those above them, in the column before.
  const std::int64_t above = -(begin + lowest);  // bits of rows up to 0
  std::uint64_t plus = above >= 64  ? 0
                       : above <= 0 ? ~std::uint64_t{0}
                                    : ~((std::uint64_t{1} << above) - 1);
  std::uint64_t minus = 0;
  // Where the diagonal begins: in row 0 or above, or in column 0.
  const std::int64_t first_row = begin + lowest + tracked;
  std::int64_t value = first_row > 0 ? first_row : 0;
  for (std::int64_t column = begin + 1; column <= last; ++column) {
    const std::uint64_t equal =
        mask_rows(pattern.of(reader.next()), pattern.words, column + lowest - 1);
    const std::uint64_t diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
    const std::uint64_t row_plus = minus | ~(diagonal | plus);
    const std::uint64_t row_minus = diagonal & plus;
    plus = row_minus | ~(diagonal >> 1 | row_plus);
    minus = diagonal >> 1 & row_plus;
    if (column <= first) {
      value += 1 - static_cast<std::int64_t>(diagonal >> tracked & 1);
      if (column % columns_between_looks == 0 && value > edits &&
          least_value(plus, minus, value, tracked, edits) > edits)
        return false;
      if (column < first) continue;
    } else {  // along the last row of the pattern
      const auto bit = static_cast<std::uint64_t>(length - column - lowest);
      value += static_cast<std::int64_t>(row_plus >> bit & 1);
      value -= static_cast<std::int64_t>(row_minus >> bit & 1);
    }
    if (value <= edits) return true;
  }
  return false;
}

}  // namespace gsx

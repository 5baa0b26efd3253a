// Counts mismatches in many lanes at once, by carry-save addition.
#pragma once

#include "base/host_device.hpp"

namespace gsx {

/// Digits that count up to `most` mismatches.
GSX_HD constexpr int counter_digits(std::uint32_t most) {
  int digits = 0;
  while (most >> digits != 0)
    ++digits;
  return digits;
}

/// What a counter starts with so that it overflows at `most` + 1.
GSX_HD constexpr std::uint32_t counter_start(int digits, std::uint32_t most) {
  return (std::uint32_t{1} << digits) - 1 - most;
}

/// A counter of `digits` binary digits in each lane of a word. It starts so high that it overflows
/// when a lane has more mismatches than it may have; a lane that did is over, and stays so. Word is
/// an integer or a vector of integers. Cost: 4 operations per position and word for up to 3
/// mismatches, 4.5 for up to 7.
template <class Word, int digits>
struct MismatchCounter {
  Word digit[digits == 0 ? 1 : digits];
  Word over;

  /// Lanes that are set in `excluded` are over from the start.
  GSX_HD void start(std::uint32_t value, const Word& excluded) {
    over = excluded;
    for (int i = 0; i < digits; ++i)
      digit[i] = Word{} - (value >> i & 1);
  }
  /// Adds one position, whose lanes with a mismatch are set.
  GSX_HD void add(const Word& mismatch) { carry_from(0, mismatch); }
  /// Adds four positions.
  GSX_HD void add(const Word& a, const Word& b, const Word& c, const Word& d) {
    if constexpr (digits == 0) {
      over |= (a | b) | (c | d);
    } else {
      Word twos[2];
      add_digit(0, a, b, twos[0]);
      add_digit(0, c, d, twos[1]);
      if constexpr (digits == 1) {
        over |= twos[0] | twos[1];
      } else {
        Word fours;
        add_digit(1, twos[0], twos[1], fours);
        carry_from(2, fours);
      }
    }
  }

 private:
  /// Adds two bits of the same weight to a digit.
  GSX_HD void add_digit(int i, const Word& a, const Word& b, Word& carry) {
    const Word one = a ^ b;
    carry = (a & b) | (digit[i] & one);
    digit[i] ^= one;
  }
  GSX_HD void carry_from(int first, const Word& bit) {
    Word carry = bit;
    for (int i = first; i < digits; ++i) {
      const Word next = digit[i] & carry;
      digit[i] ^= carry;
      carry = next;
    }
    over |= carry;
  }
};

}  // namespace gsx

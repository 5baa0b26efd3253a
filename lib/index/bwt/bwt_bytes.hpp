// A BWT as bytes, as commands and callers give it to be inverted.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "arrays/rank/quad_vector.hpp"

namespace gsx {

/// A BWT of `rows` rows, one byte each. It comes in one of two forms: a byte value stands for every
/// separator, or the only separator's row is left out, and its number is `primary`.
struct BwtBytes {
  std::span<const std::uint8_t> bytes;
  bool has_separators = true;
  std::uint8_t separator = '$';  ///< where has_separators
  std::uint64_t primary = 0;     ///< where not

  static BwtBytes with_separators(std::span<const std::uint8_t> bytes, std::uint8_t separator) {
    return {bytes, true, separator, 0};
  }
  static BwtBytes without_separator(std::span<const std::uint8_t> bytes, std::uint64_t primary) {
    return {bytes, false, 0, primary};
  }

  std::uint64_t rows() const { return bytes.size() + (has_separators ? 0 : 1); }

  /// Calls visit(row, byte) for each row of [begin, end) that has a byte, in order.
  template <class Visit>
  void for_each(std::uint64_t begin, std::uint64_t end, const Visit& visit) const {
    if (has_separators) {
      for (std::uint64_t row = begin; row < end; ++row)
        visit(row, bytes[row]);
      return;
    }
    for (std::uint64_t row = begin; row < end && row < primary; ++row)
      visit(row, bytes[row]);
    for (std::uint64_t row = begin > primary ? begin : primary + 1; row < end; ++row)
      visit(row, bytes[row - 1]);
  }
};

/// The symbols of a BWT, numbered in their order as bytes.
struct BwtAlphabet {
  /// Code of a separator, and of a byte that does not occur.
  static constexpr std::uint8_t hole = QuadVector::hole;

  std::array<std::uint8_t, 256> code_of;
  std::array<std::uint8_t, 256> symbol_of{};
  std::uint32_t size = 0;        ///< symbols, separators not counted
  std::uint64_t separators = 0;  ///< at least 1

  /// Of the bytes of which counts[byte] is not 0. Throws InputError where there is no separator or
  /// the primary row does not exist, UsageError for 256 different symbols.
  BwtAlphabet(const BwtBytes& bwt, const std::array<std::uint64_t, 256>& counts);
};

/// How often each byte value occurs. Cost: one pass.
std::array<std::uint64_t, 256> count_bytes(std::span<const std::uint8_t> bytes, int threads);

}  // namespace gsx

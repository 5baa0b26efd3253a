// Circular records: those whose last symbol is followed by their first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/text.hpp"

namespace gsx {

/// What lies around the origin of a circular record, where its end meets its beginning.
struct Circle {
  std::uint64_t end;     ///< text position behind the last symbol of the record
  std::uint64_t begin;   ///< text position of its first symbol
  std::uint64_t length;  ///< symbols of the record
  /// Symbols before the origin that one place can hold, and symbols behind it: up to what was kept
  /// out of the text, and less than the record, since a place does not overlap itself.
  std::uint64_t before;
  std::uint64_t after;
};

/// The circles of these records, which ascend. A record has none if no place can span its origin:
/// its first or last symbol is not in the text, or it has fewer than two symbols.
std::vector<Circle> circles_of(const TextView& text, const RecordsView& records,
                               std::span<const std::uint64_t> circular);

}  // namespace gsx

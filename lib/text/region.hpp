// Parses regions: NAME, NAME:B, NAME:B-, NAME:-E, NAME:B-E, and the name in braces.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "text/text.hpp"

namespace gsx {

/// How the numbers of a region are counted.
enum class RegionNumbers : std::uint8_t {
  one_based,   ///< from 1, the end included: samtools' regions
  zero_based,  ///< from 0, the end excluded: BED
};

/// The numbers of a region as written; those that are too large become the largest value.
struct RegionBounds {
  std::optional<std::uint64_t> begin;  ///< none: from the first symbol of the record
  std::optional<std::uint64_t> end;    ///< none: to the last symbol of the record
};

/// A name and the range after it.
struct NamedRange {
  std::string_view name;
  std::optional<RegionBounds> bounds;  ///< none: what follows the name is not a range
};

/// The ways to read a region; the views refer to its text. A name may hold any character, so the
/// whole text may also be a name: only the names of the records decide.
struct RegionText {
  std::optional<NamedRange> braced;  ///< {NAME}, with open bounds, or {NAME}:RANGE
  std::optional<NamedRange> ranged;  ///< NAME:RANGE, split at the last colon
};

/// Splits a region. Commas between digits are ignored.
RegionText split_region(std::string_view text);

/// A part of a record: symbols [begin, end), counted from 0.
struct RecordPart {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool clipped = false;  ///< the end was beyond the end of the record
};

/// The symbols that the bounds mean in a record of `length` symbols. Throws InputError if the begin
/// is 0 where numbers count from 1, lies after the end, or lies beyond the record. The message says
/// what is wrong; the caller adds which region.
RecordPart part_of_record(const RegionBounds& bounds, RegionNumbers numbers, std::uint64_t length);

}  // namespace gsx

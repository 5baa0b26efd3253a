// Regions as text: NAME, NAME:B, NAME:B-, NAME:-E, NAME:B-E, and the name in braces.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gsx {

/// How the numbers of a region count.
enum class RegionNumbers : std::uint8_t {
  one_based,   ///< from 1, the end included: samtools' regions
  zero_based,  ///< from 0, the end excluded: BED
};

/// The numbers of a region as they are written; too large ones are the largest there is.
struct RegionBounds {
  std::optional<std::uint64_t> begin;  ///< none: from the record's first symbol
  std::optional<std::uint64_t> end;    ///< none: to its last
};

/// A name with what follows it.
struct NamedRange {
  std::string_view name;
  std::optional<RegionBounds> bounds;  ///< none: what follows the name is no range
};

/// The ways to read a region, which refer to its text. Which one is meant depends on the names of
/// the records, as a name may hold anything: all of the text may be a name, too.
struct RegionText {
  std::optional<NamedRange> braced;  ///< {NAME}, whose bounds are open, or {NAME}:RANGE
  std::optional<NamedRange> ranged;  ///< NAME:RANGE, split at the last colon
};

/// Splits a region. Commas between digits are passed over.
RegionText split_region(std::string_view text);

/// A part of a record: symbols [begin, end), counted from 0.
struct RecordPart {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool clipped = false;  ///< the end was beyond the record's
};

/// The symbols that the bounds mean in a record of `length` symbols. Throws InputError, which says
/// what is wrong and nothing of which region it is, for a begin that is 0 where numbers count from
/// 1, behind the end, or beyond the record.
RecordPart part_of_record(const RegionBounds& bounds, RegionNumbers numbers, std::uint64_t length);

}  // namespace gsx

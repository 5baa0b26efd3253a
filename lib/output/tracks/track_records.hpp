// The records that a track has values of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "text/text.hpp"

namespace gsx {

/// A record: its name, and its length in positions.
struct TrackRecord {
  std::string_view name;
  std::uint64_t length;
};

/// The records of a text, in order. They refer to its names.
std::vector<TrackRecord> track_records(const RecordsView& records);

/// The numbers of the records that have positions, sorted by name as bytes, and those of one name
/// in order. Cost: some 0.2 µs per record.
std::vector<std::uint64_t> sorted_by_name(std::span<const TrackRecord> records);

/// Two records of one name: the first record that has the name of an earlier one, and the last of
/// these. `first` < `second`.
struct SharedName {
  std::uint64_t first, second;
};
/// None if the records that have positions all have different names. Cost: that of
/// sorted_by_name().
std::optional<SharedName> find_shared_name(std::span<const TrackRecord> records);

/// Checks that a bigWig file can hold the records, before what takes long. Throws InputError that
/// names the first record that it cannot: one of 2^32 positions or more, or whose name is empty,
/// too long, holds a NUL byte, or is that of an earlier record. Records of length 0 have no values
/// and are left out of the file, so their names do not matter.
/// Cost: that of sorted_by_name().
void require_bigwig(std::span<const TrackRecord> records);

/// The most bytes of a name in a bigWig file. The file stores every name at the length of the
/// longest, and the readers of UCSC hold one on the stack.
inline constexpr std::size_t most_bigwig_name = 4096;

}  // namespace gsx

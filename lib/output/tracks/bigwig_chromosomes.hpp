// The chromosome tree of a bigWig file.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "output/tracks/track_records.hpp"

namespace gsx {

/// A B+ tree of the records that have positions, sorted by name, whose values are ids[record] and
/// the length of a record. It lies at `offset` in the file. All nodes but the last of a level are
/// full, and none is padded, so that readers that follow the offsets of nodes and readers that take
/// one node after another both find all. Pre: require_bigwig(records) does not throw.
std::string chromosome_tree(std::span<const TrackRecord> records,
                            std::span<const std::uint32_t> ids, std::uint64_t offset);

/// The id of a record that is left out.
inline constexpr std::uint32_t no_id = ~std::uint32_t{0};

}  // namespace gsx

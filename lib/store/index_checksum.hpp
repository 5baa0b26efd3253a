// What tells an index from any other.
#pragma once

#include <cstdint>
#include <span>

#include "store/index.hpp"

namespace gsx {

/// The checksum of an index in shards: of those in the headers of its shards, in order.
std::uint64_t checksum_of_shards(std::span<const std::uint64_t> shards);

/// The checksum in the header of an index, which covers those of all sections; of an index in
/// shards checksum_of_shards().
std::uint64_t checksum_of(const Index& index);

}  // namespace gsx

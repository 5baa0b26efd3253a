// What tells an index from any other.
#pragma once

#include <cstdint>
#include <vector>

#include "index/store/index.hpp"

namespace gsx {

/// The checksum of an index in shards: of those in the headers of its shards, in any order, as
/// whoever merges results may not know it.
std::uint64_t checksum_of_shards(std::vector<std::uint64_t> shards);

/// The checksum in the header of an index, which covers those of all sections; of an index in
/// shards checksum_of_shards().
std::uint64_t checksum_of(const Index& index);

}  // namespace gsx

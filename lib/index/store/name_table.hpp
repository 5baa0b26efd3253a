// The table by which an index file is asked for the records of a name.
//
//   name_hashes    u32, ascending: the upper half of the XXH3-64 of each name
//   name_records   the record of each, packed; of equal hashes, ascending
//
// Hashes are spread evenly, so the place of one is known up to some entries, and a look-up reads
// two or three pages of the table.
// Memory: 32 bits and bits_for(records) per record.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/packed.hpp"
#include "text/text.hpp"

namespace gsx {

/// What the table has of a name.
std::uint32_t name_hash(std::string_view name);

struct NameTable {
  std::vector<std::uint32_t> hashes;
  PackedArray records;
};

/// Whether an index of so many records has a table: 2^32 and more have none.
bool has_name_table(std::uint64_t records);

/// The table of all names, the same for any number of threads. Pre: has_name_table(). Cost: sorts
/// the hashes; 8 bytes per record beside the result. Throws ResourceError.
NameTable name_table_of(const RecordsView& records, int threads);

/// Where a hash is among `size` ascending ones, which at(i) gives: the first that is not smaller,
/// or `size`. Looks where hashes that are spread evenly have it, then further and further away.
/// Cost: O(log size), whatever the hashes are; few, and near one another, if they are spread
/// evenly.
template <class At>
std::uint64_t find_hash(std::uint64_t size, std::uint32_t hash, const At& at) {
  constexpr double hashes = 4294967296.0;
  const auto guess =
      std::min(size, static_cast<std::uint64_t>(static_cast<double>(size) * hash / hashes));
  std::uint64_t low = 0, high = size;  // it is in [low, high]
  if (guess < size && at(guess) < hash) {
    low = guess + 1;
    for (std::uint64_t step = 16; high - low > step; step *= 2) {
      if (at(low + step) >= hash) {
        high = low + step;
        break;
      }
      low += step + 1;
    }
  } else {
    high = guess;
    for (std::uint64_t step = 16; high > step; step *= 2) {
      if (at(high - step) < hash) {
        low = high - step + 1;
        break;
      }
      high -= step;
    }
  }
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (at(middle) < hash) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace gsx

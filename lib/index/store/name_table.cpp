#include "index/store/name_table.hpp"

#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Names are sorted in this many groups, by the highest bits of their hashes.
constexpr std::uint32_t group_bits = 10;
constexpr std::uint64_t groups = std::uint64_t{1} << group_bits;

std::uint64_t group_of(std::uint32_t hash) {
  return hash >> (32 - group_bits);
}

/// The hash of each name and, below it, its record: ascending.
Buffer<std::uint64_t> sorted_keys(const RecordsView& records, int threads) {
  const auto slices = static_cast<std::uint64_t>(threads);
  const auto for_each = [&](const auto& take) {
    parallel_for(threads, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(records.size(), slices, s);
      for (std::uint64_t r = slice.begin; r < slice.end; ++r)
        take(s, name_hash(records.name(r)), r);
    });
  };
  std::vector<std::vector<std::uint64_t>> places(slices, std::vector<std::uint64_t>(groups));
  for_each(
      [&](std::uint64_t s, std::uint32_t hash, std::uint64_t) { ++places[s][group_of(hash)]; });
  std::vector<std::uint64_t> begins{0};
  std::uint64_t begin = 0;
  for (std::uint64_t g = 0; g < groups; ++g) {
    for (std::vector<std::uint64_t>& place : places)
      begin += std::exchange(place[g], begin);
    begins.push_back(begin);
  }
  Buffer<std::uint64_t> keys(records.size(), "the table of names");
  for_each([&](std::uint64_t s, std::uint32_t hash, std::uint64_t record) {
    keys[places[s][group_of(hash)]++] = std::uint64_t{hash} << 32 | record;
  });
  parallel_for(threads, groups, [&](std::uint64_t g, int) {
    std::sort(keys.begin() + begins[g], keys.begin() + begins[g + 1]);
  });
  return keys;
}

}  // namespace

std::uint32_t name_hash(std::string_view name) {
  return static_cast<std::uint32_t>(XXH3_64bits(name.data(), name.size()) >> 32);
}

bool has_name_table(std::uint64_t records) {
  return records >> 32 == 0;
}

NameTable name_table_of(const RecordsView& records, int threads) {
  constexpr std::uint64_t per_thread = 1 << 15;  // fewer names do not pay for a start
  const std::uint64_t size = records.size();
  threads = static_cast<int>(
      std::clamp<std::uint64_t>(size / per_thread, 1, static_cast<std::uint64_t>(threads)));
  const Buffer<std::uint64_t> keys = sorted_keys(records, threads);
  NameTable table{std::vector<std::uint32_t>(size),
                  PackedArray(size, bits_for(size), "the table of names")};
  const auto slices = static_cast<std::uint64_t>(threads);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(size, slices, s, PackedArray::slice_unit);
    PackedWriter writer = table.records.writer(slice.begin);
    for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
      table.hashes[i] = static_cast<std::uint32_t>(keys[i] >> 32);
      writer.push(keys[i] & 0xFFFFFFFF);
    }
    writer.finish();
  });
  return table;
}

}  // namespace gsx

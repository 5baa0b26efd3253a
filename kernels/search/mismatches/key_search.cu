#include <algorithm>
#include <span>
#include <vector>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/mismatches/found_places.cuh"
#include "kernels/search/mismatches/key_search.hpp"
#include "kernels/search/mismatches/to_device.hpp"

namespace gsx::cuda {
namespace {

using tuning::key_threads;
constexpr std::uint64_t block_places = std::uint64_t{key_threads} * KeyWindows::places;

/// Each thread looks the windows of 32 places up in all tables, of which the sieve of one is in
/// shared memory at a time.
__global__ void __launch_bounds__(key_threads, tuning::key_blocks)
    keys_kernel(const __grid_constant__ KeysView keys, const __grid_constant__ TextView text,
                PlaceRange windows, PlaceRange starts, const __grid_constant__ ScanResult result) {
  extern __shared__ uint4 sieve[];
  const std::uint64_t begin =
      windows.begin + blockIdx.x * block_places + threadIdx.x * KeyWindows::places;
  std::uint32_t inside = 0;
  KeyWindows mine;
  if (begin < windows.end) {
    const std::uint64_t left = windows.end - begin;
    inside = low_mask32(left < KeyWindows::places ? static_cast<unsigned>(left) : 32);
    mine = KeyWindows(text.symbols, begin);
  }
  const auto take = [&](const KeyPlace& place) {
    if (place.start < starts.begin || place.start >= starts.end) return;
    add(counts_of(result, place.pattern, place.reverse, keys.most) + place.mismatches, 1);
    list_hit(result, place.pattern, place.start, place.reverse, place.mismatches);
  };
  for (std::uint32_t t = 0; t < keys.table_count; ++t) {
    const KeyTableView& table = keys.tables[t];
    const auto* from = reinterpret_cast<const uint4*>(table.sieve.words);
    const std::uint32_t count = table.sieve.word_count() / 4;
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < count; i += key_threads)
      sieve[i] = from[i];
    __syncthreads();
    if (inside == 0) continue;
    const auto* words = reinterpret_cast<const std::uint32_t*>(sieve);
    const std::uint32_t found = mine.sift(table.shape, table.sieve.shift, words) & inside;
    look_up(keys, text, t, mine, begin, found, take);
  }
}

/// Where the arrays of a table begin among those of all.
struct TableOffsets {
  std::uint64_t sieve = 0, bits = 0, ranks = 0, begins = 0, strands = 0;
};

/// Adds an array to others, and returns where it begins.
template <class T>
std::uint64_t append(std::vector<T>& all, const std::vector<T>& some) {
  const std::uint64_t begin = all.size();
  all.insert(all.end(), some.begin(), some.end());
  return begin;
}

}  // namespace

DeviceKeys::DeviceKeys(const KeyTables& host, DeviceStream stream) : view_(host.view()) {
  std::vector<std::uint64_t> bits;
  std::vector<std::uint32_t> words;
  std::vector<TableOffsets> offsets;
  for (const KeyTable& table : host.tables()) {  // first, so that they are aligned to 16 bytes
    offsets.emplace_back().sieve = append(words, table.sieve);
    sieve_bytes_ = std::max(sieve_bytes_, table.view().sieve.word_count() * 4);
  }
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const KeyTable& table = host.tables()[i];
    offsets[i].bits = append(bits, table.bits);
    offsets[i].ranks = append(words, table.ranks);
    offsets[i].begins = append(words, table.begins);
    offsets[i].strands = append(words, table.strands);
  }
  bits_ = to_device(std::span<const std::uint64_t>(bits), stream);
  words_ = to_device(std::span<const std::uint32_t>(words), stream);
  std::vector<KeyTableView> tables;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    KeyTableView table = host.tables()[i].view();
    table.sieve.words = words_.data() + offsets[i].sieve;
    table.bits = bits_.data() + offsets[i].bits;
    table.ranks = words_.data() + offsets[i].ranks;
    table.begins = words_.data() + offsets[i].begins;
    table.strands = words_.data() + offsets[i].strands;
    tables.push_back(table);
  }
  tables_ = to_device(std::span<const KeyTableView>(tables), stream);
  strands_ = to_device(host.strands(), stream);
  numbers_ = to_device(host.numbers(), stream);
  masks_ = to_device(host.patterns().words(), stream);
  entries_ = to_device(host.patterns().entries(), stream);
  for (const std::uint32_t number : host.numbers()) {
    if ((number & 1) != 0) continue;  // the window of the reverse strand is at its beginning
    const std::uint64_t length = host.patterns().entries()[number >> 1].length;
    most_before_ = std::max(most_before_, length - view_.window);
  }
  view_.tables = tables_.data();
  view_.strands = strands_.data();
  view_.numbers = numbers_.data();
  view_.patterns = {masks_.data(), entries_.data(), nullptr};
  wait_asleep(stream);  // the arrays are copied
}

void DeviceKeys::find_async(const TextView& d_text, const PlaceRange& range,
                            const ScanResult& result, DeviceStream stream) const {
  const PlaceRange windows{range.begin, std::min(d_text.length(), range.end + most_before_)};
  if (view_.table_count == 0 || windows.begin >= windows.end) return;
  const unsigned blocks =
      blocks_for(windows.end - windows.begin, static_cast<unsigned>(block_places));
  keys_kernel<<<blocks, key_threads, sieve_bytes_, stream>>>(view_, d_text, windows, range, result);
  GSX_CUDA_CHECK(cudaGetLastError());
}

}  // namespace gsx::cuda

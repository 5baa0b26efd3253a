#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <utility>

#include "arrays/wavelet/distinct_values.hpp"
#include "arrays/wavelet/find_distinct.hpp"
#include "base/host_device.hpp"
#include "kernels/arrays/wavelet/device_alphabet.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/selection.cuh"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;
using Tally = unsigned long long;

/// Lanes with one value add together: a frequent value would be a queue of single additions.
template <class Value>
__global__ void tally_kernel(const Value* d_values, std::uint64_t size, Tally* d_tallies) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned here = __ballot_sync(~0u, i < size);
  if (i >= size) return;
  const std::uint64_t value = d_values[i];
  const auto same = __match_any_sync(here, static_cast<unsigned long long>(value));
  if (lowest_bit32(same) == threadIdx.x % 32) atomicAdd(d_tallies + value, popcount32(same));
}

__global__ void mark_kernel(const Tally* d_tallies, std::uint64_t size, std::uint32_t* d_marks) {
  const std::uint64_t value = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (value < size) d_marks[value] = d_tallies[value] != 0;
}

/// Turns the number of values up to each one into its symbol.
__global__ void number_kernel(const Tally* d_tallies, std::uint64_t size, std::uint32_t* d_symbols,
                              std::uint64_t* d_values, std::uint64_t* d_counts) {
  const std::uint64_t value = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (value >= size) return;
  if (d_tallies[value] == 0) {
    d_symbols[value] = DistinctValues::absent;
    return;
  }
  const std::uint32_t symbol = d_symbols[value] - 1;
  d_symbols[value] = symbol;
  d_values[symbol] = value;
  d_counts[symbol] = d_tallies[value];
}

template <class Value>
std::uint64_t largest_of(const Value* d_values, std::uint64_t size, DeviceStream stream) {
  DeviceBuffer<Value> largest(1, stream);
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceReduce::Max(workspace, bytes, d_values, largest.data(), size, stream);
      },
      stream);
  return first_value(largest, stream);
}

template <class Value>
DeviceAlphabet by_table(const Value* d_values, std::uint64_t size, std::uint64_t largest,
                        DeviceStream stream) {
  const std::uint64_t entries = largest + 1;
  const unsigned blocks = blocks_for(entries, block_threads);
  DeviceBuffer<Tally> tallies(entries, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(tallies.data(), 0, tallies.bytes(), stream));
  tally_kernel<<<blocks_for(size, block_threads), block_threads, 0, stream>>>(d_values, size,
                                                                              tallies.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  DeviceAlphabet alphabet;
  alphabet.symbols = DeviceBuffer<std::uint32_t>(entries, stream);
  std::uint32_t* const symbols = alphabet.symbols.data();
  mark_kernel<<<blocks, block_threads, 0, stream>>>(tallies.data(), entries, symbols);
  GSX_CUDA_CHECK(cudaGetLastError());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(workspace, bytes, symbols, symbols, entries, stream);
      },
      stream);
  std::uint32_t distinct = 0;
  GSX_CUDA_CHECK(cudaMemcpyAsync(&distinct, symbols + largest, sizeof distinct,
                                 cudaMemcpyDeviceToHost, stream));
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  alphabet.values = DeviceBuffer<std::uint64_t>(distinct, stream);
  alphabet.counts = DeviceBuffer<std::uint64_t>(distinct, stream);
  number_kernel<<<blocks, block_threads, 0, stream>>>(
      tallies.data(), entries, symbols, alphabet.values.data(), alphabet.counts.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return alphabet;
}

/// Whether a run of equal values begins.
template <class Value>
struct BeginsRun {
  const Value* d_sorted;
  __device__ bool operator()(std::uint64_t i) const {
    return i == 0 || d_sorted[i] != d_sorted[i - 1];
  }
};

template <class Value>
struct KeepRun {
  const Value* d_sorted;
  std::uint64_t *d_values, *d_begins;
  __device__ void keep(std::uint64_t i, std::uint64_t run) const {
    d_values[run] = d_sorted[i];
    d_begins[run] = i;
  }
  __device__ void drop(std::uint64_t) const {}
};

__global__ void lengths_kernel(const std::uint64_t* d_begins, std::uint64_t runs,
                               std::uint64_t size, std::uint64_t* d_counts) {
  const std::uint64_t run = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (run < runs) d_counts[run] = (run + 1 < runs ? d_begins[run + 1] : size) - d_begins[run];
}

template <class Value>
DeviceAlphabet by_sorting(const Value* d_values, std::uint64_t size, DeviceStream stream) {
  DeviceBuffer<Value> sorted(size, stream);
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(workspace, bytes, d_values, sorted.data(), size, 0,
                                              8 * static_cast<int>(sizeof(Value)), stream);
      },
      stream);
  const Selection<BeginsRun<Value>> runs(BeginsRun<Value>{sorted.data()}, size, stream);
  require_numbered(runs.size());
  DeviceAlphabet alphabet;
  alphabet.values = DeviceBuffer<std::uint64_t>(runs.size(), stream);
  alphabet.counts = DeviceBuffer<std::uint64_t>(runs.size(), stream);
  DeviceBuffer<std::uint64_t> begins(runs.size(), stream);
  runs.move_async(KeepRun<Value>{sorted.data(), alphabet.values.data(), begins.data()});
  lengths_kernel<<<blocks_for(runs.size(), block_threads), block_threads, 0, stream>>>(
      begins.data(), runs.size(), size, alphabet.counts.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return alphabet;
}

}  // namespace

template <class Value>
DeviceAlphabet find_alphabet(const Value* d_values, std::uint64_t size, DeviceStream stream) {
  if (size == 0) return {};
  const std::uint64_t largest = largest_of(d_values, size, stream);
  return numbers_in_table(largest, size) ? by_table(d_values, size, largest, stream)
                                         : by_sorting(d_values, size, stream);
}

template DeviceAlphabet find_alphabet(const std::uint8_t*, std::uint64_t, DeviceStream);
template DeviceAlphabet find_alphabet(const std::uint16_t*, std::uint64_t, DeviceStream);
template DeviceAlphabet find_alphabet(const std::uint32_t*, std::uint64_t, DeviceStream);
template DeviceAlphabet find_alphabet(const std::uint64_t*, std::uint64_t, DeviceStream);

}  // namespace gsx::cuda

#include "kernels/index/lcp/kmer_collector.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <limits>
#include <unordered_map>

#include "base/error.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/lcp/row_groups.cuh"
#include "text/packed_bases.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Every k-mer is taken for one that occurs once, until rows tell that it repeats.
__global__ void once_kernel(SegmentsView segments, std::uint64_t k, std::uint64_t size,
                            std::uint16_t* d_codes) {
  const std::uint64_t p = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (p < size) d_codes[p] = segments.separator_from(p) - p >= k ? 1 : 0;
}

/// The row if a group begins with it, or else 0: the running maximum is each row's group.
struct GroupBegin {
  RowGroupsView groups;
  __host__ __device__ std::uint32_t operator()(std::uint32_t i) const {
    return groups.begins(i) ? i : 0;
  }
};

struct Larger {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return a < b ? b : a;
  }
};

/// The row with which each row's group begins.
void find_begins_async(const RowGroupsView& groups, DeviceBuffer<std::uint32_t>& begins,
                       DeviceStream stream) {
  const auto candidates = thrust::make_transform_iterator(
      thrust::counting_iterator<std::uint32_t>(0), GroupBegin{groups});
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveScan(workspace, bytes, candidates, begins.data(), Larger{},
                                              groups.count, stream);
      },
      stream);
}

/// Numbers that have no code of their own.
struct LargeNumbers {
  std::uint64_t* d_numbers;
  std::uint32_t* d_size;
  std::uint32_t most;

  __device__ std::uint16_t code_of(std::uint64_t number) const {
    if (number < KmerFrequencies::first_large) return static_cast<std::uint16_t>(number);
    const std::uint32_t place = atomicAdd(d_size, 1u);
    if (place >= most) return 0;
    d_numbers[place] = number;
    return static_cast<std::uint16_t>(KmerFrequencies::first_large + place);
  }
};

/// The last row of each group of two and more writes the group's code where the group begins.
template <class Pos>
__global__ void codes_kernel(BothStrandsView text, RowGroupsView groups, const Pos* d_rows,
                             const std::uint32_t* d_begins, LargeNumbers large,
                             std::uint16_t* d_codes) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups.count || groups.begins(i) || !groups.ends(i)) return;
  const std::uint32_t begin = d_begins[i];
  const std::uint64_t size = i - begin + 1;
  const bool both = text.half < text.text.length();
  const bool own = both && is_own_reverse_complement(text.text.symbols, d_rows[i], groups.k);
  d_codes[begin] = large.code_of(own ? size / 2 : size);
}

/// Each row of a group gives the group's code to its position.
template <class Pos>
__global__ void scatter_kernel(RowGroupsView groups, const Pos* d_rows, std::uint64_t half,
                               const std::uint32_t* d_begins,
                               const std::uint16_t* d_codes_of_groups, std::uint16_t* d_codes) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups.count || (groups.begins(i) && groups.ends(i))) return;
  const std::uint64_t p = d_rows[i];
  if (p < half) d_codes[p] = d_codes_of_groups[d_begins[i]];
}

__global__ void rename_kernel(const std::uint16_t* d_names, std::uint64_t size,
                              std::uint16_t* d_codes) {
  const std::uint64_t p = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (p < size && d_codes[p] >= KmerFrequencies::first_large)
    d_codes[p] = d_names[d_codes[p] - KmerFrequencies::first_large];
}

}  // namespace

template <class Pos>
bool KmerCollector<Pos>::can_count(const TextView& text, std::span<const std::uint64_t> lengths) {
  const auto [least, most] = std::ranges::minmax_element(lengths);
  const std::uint64_t bits = *least * text.symbols.bits;
  // Where k-mers occur 2^14 times each on average, too many may be frequent.
  if (bits < 63 && std::uint64_t{1} << bits > most_large && text.length() >> bits >= 1u << 14)
    return false;
  // Where suffixes may be keyed by words, each has one bit or more.
  const bool packed = has_short_keys(text.symbols.bits) || text.length() < tuning::coded_from;
  const std::uint64_t sure_bits = packed ? bits : *least;
  return sure_bits >= tuning::prefix_bits && *most <= tuning::most_compared;
}

template <class Pos>
KmerCollector<Pos>::KmerCollector(const TextView& d_text, std::uint64_t half,
                                  std::span<const std::uint64_t> lengths, DeviceStream stream)
    : text_{d_text, half}, stream_(stream) {
  for (const std::uint64_t k : lengths) {
    counted_.push_back({k, {half, stream}, {most_large, stream}, {1, stream}});
    Counted& counted = counted_.back();
    GSX_CUDA_CHECK(cudaMemsetAsync(counted.size.data(), 0, counted.size.bytes(), stream));
    once_kernel<<<blocks_for(half, block_threads), block_threads, 0, stream>>>(
        d_text.segments, k, half, counted.codes.data());
    GSX_CUDA_CHECK(cudaGetLastError());
  }
}

template <class Pos>
void KmerCollector<Pos>::take(const FinishedRows<Pos>& rows) {
  if (rows.count == 0) return;
  if (rows.count > std::numeric_limits<std::uint32_t>::max())
    throw ResourceError("out of GPU memory: more than 2^32 suffixes begin with the same symbols");
  std::uint64_t most = 0;
  for (const Counted& counted : counted_)
    most = std::max(most, counted.k);
  const auto lcps =
      common_prefixes_async(text_.text, rows, static_cast<std::uint32_t>(most), stream_);
  for (Counted& counted : counted_)
    count(rows, lcps.data(), counted);
}

template <class Pos>
void KmerCollector<Pos>::count(const FinishedRows<Pos>& rows, const std::uint16_t* d_lcps,
                               Counted& counted) {
  const RowGroupsView groups{d_lcps, rows.count, counted.k};
  DeviceBuffer<std::uint32_t> begins(rows.count, stream_);
  DeviceBuffer<std::uint16_t> codes(rows.count, stream_);
  find_begins_async(groups, begins, stream_);
  const unsigned blocks = blocks_for(rows.count, block_threads);
  codes_kernel<<<blocks, block_threads, 0, stream_>>>(
      text_, groups, rows.d_rows, begins.data(),
      LargeNumbers{counted.large.data(), counted.size.data(), most_large}, codes.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  scatter_kernel<<<blocks, block_threads, 0, stream_>>>(
      groups, rows.d_rows, text_.half, begins.data(), codes.data(), counted.codes.data());
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Pos>
std::optional<std::vector<KmerFrequencies>> KmerCollector<Pos>::result(Transfer& transfer) {
  std::vector<std::uint32_t> large;
  for (const Counted& counted : counted_) {
    large.push_back(first_value(counted.size, stream_));
    if (large.back() > most_large) return std::nullopt;
  }
  std::vector<KmerFrequencies> all;
  for (std::size_t i = 0; i < counted_.size(); ++i)
    all.push_back(to_host(counted_[i], large[i], transfer));
  return all;
}

/// Gives equal numbers the same code on the way.
template <class Pos>
KmerFrequencies KmerCollector<Pos>::to_host(Counted& counted, std::uint32_t large,
                                            Transfer& transfer) {
  KmerFrequencies counts{Buffer<std::uint16_t>(text_.half, "k-mer frequencies"), {}};
  if (large > 0) {
    std::vector<std::uint64_t> numbers(large);
    GSX_CUDA_CHECK(cudaMemcpyAsync(numbers.data(), counted.large.data(),
                                   large * sizeof(std::uint64_t), cudaMemcpyDeviceToHost, stream_));
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));
    std::unordered_map<std::uint64_t, std::uint16_t> codes;
    std::vector<std::uint16_t> names;
    for (const std::uint64_t number : numbers) {
      const auto code =
          static_cast<std::uint16_t>(KmerFrequencies::first_large + counts.large.size());
      const auto [at, is_new] = codes.try_emplace(number, code);
      if (is_new) counts.large.push_back(number);
      names.push_back(at->second);
    }
    DeviceBuffer<std::uint16_t> d_names(names.size(), stream_);
    d_names.copy_from_async(names.data());
    rename_kernel<<<blocks_for(text_.half, block_threads), block_threads, 0, stream_>>>(
        d_names.data(), text_.half, counted.codes.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));  // the names live here
  }
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));
  transfer.to_host(counts.codes.data(), counted.codes.data(), counted.codes.bytes());
  counted.codes = DeviceBuffer<std::uint16_t>();
  return counts;
}

template class KmerCollector<std::uint32_t>;
template class KmerCollector<std::uint64_t>;

}  // namespace gsx::cuda

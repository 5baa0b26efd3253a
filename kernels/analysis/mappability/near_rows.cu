#include "kernels/analysis/mappability/near_rows.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <limits>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "kernels/base/selection.cuh"
#include "kernels/index/lcp/row_groups.cuh"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Whether a group of two rows and more begins with a row: the running sum numbers groups from 1.
struct GroupHead {
  RowGroupsView groups;
  __host__ __device__ std::uint32_t operator()(std::uint32_t i) const {
    return groups.begins(i) && !groups.ends(i) ? 1 : 0;
  }
};

void number_groups_async(const RowGroupsView& groups, DeviceBuffer<std::uint32_t>& numbers,
                         DeviceStream stream) {
  const auto heads = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0),
                                                     GroupHead{groups});
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(workspace, bytes, heads, numbers.data(), groups.count,
                                             stream);
      },
      stream);
}

/// The low bits of each row's key, and which groups have an open row.
template <class Pos>
__global__ void marks_kernel(BothStrandsView text, NearWindows windows, OpenWindows open,
                             RowGroupsView groups, const Pos* d_rows,
                             const std::uint32_t* d_numbers, std::uint8_t* d_marks,
                             std::uint8_t* d_open_groups) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups.count || groups.is_alone(i)) return;
  const std::uint64_t p = d_rows[i];
  const std::uint32_t above = groups.begins(i) ? 0 : groups.d_lcps[i];
  const std::uint32_t below = groups.ends(i) ? 0 : groups.d_lcps[i + 1];
  const std::uint32_t shared = above < below ? below : above;
  // Rows that share so much may share more.
  const bool is_open = text.is_forward(p) && (shared >= tuning::most_compared ||
                                              open.any(static_cast<std::int64_t>(p) - windows.k,
                                                       static_cast<std::int64_t>(p + shared + 1)));
  const std::uint32_t left = text.text.segments.starts_at(p)
                                 ? NearKey::at_start
                                 : static_cast<std::uint32_t>(text.text.symbols[p - 1]);
  d_marks[i] = static_cast<std::uint8_t>(left | (is_open ? 0 : NearKey::closed));
  if (is_open) d_open_groups[d_numbers[i]] = 1;
}

struct InOpenGroup {
  RowGroupsView groups;
  const std::uint32_t* d_numbers;
  const std::uint8_t* d_open_groups;
  __device__ bool operator()(std::uint64_t i) const {
    return !groups.is_alone(i) && d_open_groups[d_numbers[i]] != 0;
  }
};

template <class Pos>
struct KeepRow {
  const Pos* d_rows;
  const std::uint32_t* d_numbers;
  const std::uint8_t* d_marks;
  Pos* d_kept;
  std::uint32_t* d_keys;
  __device__ void keep(std::uint64_t i, std::uint64_t place) const {
    d_kept[place] = d_rows[i];
    d_keys[place] = (d_numbers[i] - 1) << NearKey::low_bits | d_marks[i];
  }
  __device__ void drop(std::uint64_t) const {}
};

template <class Pos>
__global__ void sides_kernel(PackedView symbols, NearWindows windows, const Pos* d_rows,
                             std::uint64_t count, NearSides* d_sides) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) d_sides[i] = NearSides(symbols, windows, d_rows[i]);
}

std::uint32_t last_value(const DeviceBuffer<std::uint32_t>& buffer, DeviceStream stream) {
  std::uint32_t value = 0;
  GSX_CUDA_CHECK(cudaMemcpyAsync(&value, buffer.data() + buffer.size() - 1, sizeof value,
                                 cudaMemcpyDeviceToHost, stream));
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return value;
}

/// Rows with keys in no order, and the bits that tell keys apart.
template <class Pos>
int keep_rows(const BothStrandsView& text, const NearWindows& windows, const OpenWindows& open,
              const FinishedRows<Pos>& rows, NearRows<Pos>& kept, DeviceStream stream) {
  const auto lcps = common_prefixes_async(
      text.text, rows, static_cast<std::uint32_t>(tuning::most_compared), stream);
  const RowGroupsView groups{lcps.data(), rows.count, static_cast<std::uint64_t>(windows.seed())};
  DeviceBuffer<std::uint32_t> numbers(rows.count, stream);
  number_groups_async(groups, numbers, stream);
  const std::uint32_t count = last_value(numbers, stream);
  if (count == 0) return 0;
  if (count > std::uint32_t{1} << NearKey::group_bits)
    throw ResourceError("out of GPU memory: more than 2^28 groups of suffixes in one batch");
  DeviceBuffer<std::uint8_t> marks(rows.count, stream), open_groups(count + 1, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(open_groups.data(), 0, open_groups.bytes(), stream));
  marks_kernel<<<blocks_for(rows.count, block_threads), block_threads, 0, stream>>>(
      text, windows, open, groups, rows.d_rows, numbers.data(), marks.data(), open_groups.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  const Selection chosen(InOpenGroup{groups, numbers.data(), open_groups.data()}, rows.count,
                         stream);
  if (chosen.size() == 0) return 0;
  kept.rows = DeviceBuffer<Pos>(chosen.size(), stream);
  kept.keys = DeviceBuffer<std::uint32_t>(chosen.size(), stream);
  chosen.move_async(
      KeepRow<Pos>{rows.d_rows, numbers.data(), marks.data(), kept.rows.data(), kept.keys.data()});
  return static_cast<int>(NearKey::low_bits + bits_for(count - 1));
}

template <class Pos>
void sort_rows_async(NearRows<Pos>& rows, int bits, DeviceStream stream) {
  const std::uint64_t count = rows.rows.size();
  DeviceBuffer<Pos> other_rows(count, stream);
  DeviceBuffer<std::uint32_t> other_keys(count, stream);
  cub::DoubleBuffer<std::uint32_t> d_keys(rows.keys.data(), other_keys.data());
  cub::DoubleBuffer<Pos> d_rows(rows.rows.data(), other_rows.data());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(workspace, bytes, d_keys, d_rows, count, 0, bits,
                                               stream);
      },
      stream);
  if (d_keys.Current() != rows.keys.data()) std::swap(rows.keys, other_keys);
  if (d_rows.Current() != rows.rows.data()) std::swap(rows.rows, other_rows);
}

}  // namespace

template <class Pos>
NearRows<Pos> find_near_rows(const BothStrandsView& d_text, const NearWindows& windows,
                             const OpenWindows& open, const FinishedRows<Pos>& rows,
                             DeviceStream stream) {
  NearRows<Pos> kept;
  if (rows.count < 2) return kept;
  if (rows.count > std::numeric_limits<std::uint32_t>::max())
    throw ResourceError("out of GPU memory: more than 2^32 suffixes begin with the same symbols");
  const int bits = keep_rows(d_text, windows, open, rows, kept, stream);
  const std::uint64_t count = kept.rows.size();
  if (count == 0) return kept;
  sort_rows_async(kept, bits, stream);
  kept.sides = DeviceBuffer<NearSides>(count, stream);
  sides_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      d_text.text.symbols, windows, kept.rows.data(), count, kept.sides.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return kept;
}

template NearRows<std::uint32_t> find_near_rows(const BothStrandsView&, const NearWindows&,
                                                const OpenWindows&,
                                                const FinishedRows<std::uint32_t>&, DeviceStream);
template NearRows<std::uint64_t> find_near_rows(const BothStrandsView&, const NearWindows&,
                                                const OpenWindows&,
                                                const FinishedRows<std::uint64_t>&, DeviceStream);

}  // namespace gsx::cuda

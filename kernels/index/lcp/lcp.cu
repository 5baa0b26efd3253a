#include <cub/device/device_radix_sort.cuh>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/selection.cuh"
#include "kernels/base/tuning.hpp"
#include "kernels/index/lcp/compare_rows.cuh"
#include "kernels/index/lcp/lcp.hpp"
#include "kernels/index/lcp/measure_pairs.cuh"

namespace gsx::cuda {
namespace {

/// Rows whose suffixes agree on all that a thread has compared.
template <class Pos>
struct IsLong {
  const Pos* d_lcp;
  __device__ bool operator()(std::uint64_t i) const { return d_lcp[i] == tuning::thread_compared; }
};
template <class Pos>
struct ListRows {
  const Pos* d_rows;
  Pos* d_positions;
  Pos* d_numbers;
  __device__ void keep(std::uint64_t i, std::uint64_t k) const {
    d_positions[k] = d_rows[i];
    d_numbers[k] = static_cast<Pos>(i);
  }
  __device__ void drop(std::uint64_t) const {}
};

/// Rows with a long prefix, in the order of their positions, and those above them.
template <class Pos>
struct LongRows {
  const Pos* d_rows;
  const Pos* d_positions;
  const Pos* d_numbers;
  Pos* d_lcp;
  std::uint64_t size;
  std::uint64_t known = tuning::thread_compared;

  __device__ std::uint64_t position(std::uint64_t k) const { return d_positions[k]; }
  __device__ std::uint64_t partner(std::uint64_t k) const { return d_rows[d_numbers[k] - 1]; }
  __device__ std::uint64_t length(std::uint64_t k) const { return d_lcp[d_numbers[k]]; }
  __device__ void set_length(std::uint64_t k, std::uint64_t length) const {
    d_lcp[d_numbers[k]] = static_cast<Pos>(length);
  }
};

}  // namespace

template <class Pos>
void lcp_array(const TextView& d_text, const Pos* d_rows, std::uint64_t size, Pos* d_lcp,
               DeviceStream stream) {
  if (size == 0) return;
  compare_rows_async(d_text, d_rows, size, tuning::thread_compared, d_lcp, stream);
  const Selection found(IsLong<Pos>{d_lcp}, size, stream);
  const std::uint64_t count = found.size();
  if (count == 0) return;
  DeviceBuffer<Pos> positions(count, stream), numbers(count, stream);
  DeviceBuffer<Pos> sorted_positions(count, stream), sorted_numbers(count, stream);
  found.move_async(ListRows<Pos>{d_rows, positions.data(), numbers.data()});
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(
            workspace, bytes, positions.data(), sorted_positions.data(), numbers.data(),
            sorted_numbers.data(), count, 0, static_cast<int>(bits_for(d_text.length())), stream);
      },
      stream);
  measure_pairs_async(
      d_text, LongRows<Pos>{d_rows, sorted_positions.data(), sorted_numbers.data(), d_lcp, count},
      stream);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
}

template void lcp_array(const TextView&, const std::uint32_t*, std::uint64_t, std::uint32_t*,
                        DeviceStream);
template void lcp_array(const TextView&, const std::uint64_t*, std::uint64_t, std::uint64_t*,
                        DeviceStream);

}  // namespace gsx::cuda

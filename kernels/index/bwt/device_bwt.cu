#include <algorithm>
#include <array>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/selection.cuh"
#include "kernels/base/tuning.hpp"
#include "kernels/index/bwt/device_bwt.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Bytes that a thread reads before it looks at them.
constexpr unsigned bytes_at_once = 8;

/// Marks the byte values that occur. Nearly always a value is marked already, so few write.
__global__ void occurring_kernel(const std::uint8_t* d_bytes, std::uint64_t size,
                                 std::uint32_t* d_occurs) {
  __shared__ std::uint32_t occurs[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
    occurs[i] = 0;
  __syncthreads();
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::uint64_t i = first; i < size; i += bytes_at_once * threads) {
    std::uint8_t bytes[bytes_at_once];
#pragma unroll
    for (unsigned k = 0; k < bytes_at_once; ++k)
      bytes[k] = d_bytes[i + k * threads < size ? i + k * threads : i];
#pragma unroll
    for (unsigned k = 0; k < bytes_at_once; ++k) {
      if (occurs[bytes[k]] == 0) atomicOr(&occurs[bytes[k]], 1u);
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) {
    if (occurs[i] != 0) atomicOr(&d_occurs[i], 1u);
  }
}

struct IsByte {
  const std::uint8_t* d_bytes;
  std::uint8_t byte;

  __device__ bool operator()(std::uint64_t i) const { return d_bytes[i] == byte; }
};

struct ListRows {
  std::uint64_t* d_rows;

  __device__ void keep(std::uint64_t i, std::uint64_t k) const { d_rows[k] = i; }
  __device__ void drop(std::uint64_t) const {}
};

/// Where BwtBytes keeps the byte of a row.
struct RowBytes {
  const std::uint8_t* d_bytes;
  std::uint64_t left_out;  ///< a row without a byte, or one behind all
};

__global__ void codes_kernel(RowBytes bwt, const std::uint8_t* d_code_of, std::uint64_t rows,
                             std::uint8_t* d_codes) {
  __shared__ std::uint8_t code_of[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
    code_of[i] = d_code_of[i];
  __syncthreads();
  const std::uint64_t row = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  d_codes[row] = row == bwt.left_out ? BwtAlphabet::hole
                                     : code_of[bwt.d_bytes[row - (row > bwt.left_out ? 1 : 0)]];
}

}  // namespace

BwtAlphabet find_alphabet(const BwtBytes& d_bwt, DeviceStream stream) {
  const std::uint64_t size = d_bwt.bytes.size();
  std::array<std::uint32_t, 256> occurs{};
  DeviceBuffer<std::uint32_t> d_occurs(occurs.size(), stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(d_occurs.data(), 0, d_occurs.bytes(), stream));
  if (size > 0) {
    const std::uint64_t most = std::uint64_t{multiprocessors()} * tuning::walk_blocks;
    const auto blocks =
        static_cast<unsigned>(std::min<std::uint64_t>(most, blocks_for(size, block_threads)));
    occurring_kernel<<<blocks, block_threads, 0, stream>>>(d_bwt.bytes.data(), size,
                                                           d_occurs.data());
    GSX_CUDA_CHECK(cudaGetLastError());
  }
  d_occurs.copy_to_async(occurs.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  std::array<std::uint64_t, 256> counts{};
  std::ranges::copy(occurs, counts.begin());
  if (d_bwt.has_separators && counts[d_bwt.separator] != 0) {
    const Selection separators(IsByte{d_bwt.bytes.data(), d_bwt.separator}, size, stream);
    counts[d_bwt.separator] = separators.size();
  }
  return {d_bwt, counts};
}

std::vector<std::uint64_t> find_separators(const BwtBytes& d_bwt, DeviceStream stream) {
  if (!d_bwt.has_separators) return {d_bwt.primary};
  const Selection separators(IsByte{d_bwt.bytes.data(), d_bwt.separator}, d_bwt.bytes.size(),
                             stream);
  DeviceBuffer<std::uint64_t> d_rows(separators.size(), stream);
  separators.move_async(ListRows{d_rows.data()});
  std::vector<std::uint64_t> rows(d_rows.size());
  d_rows.copy_to_async(rows.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return rows;
}

DeviceBuffer<std::uint8_t> codes_of_bwt(const BwtBytes& d_bwt, const BwtAlphabet& alphabet,
                                        DeviceStream stream) {
  DeviceBuffer<std::uint8_t> d_code_of(alphabet.code_of.size(), stream);
  d_code_of.copy_from_async(alphabet.code_of.data());
  DeviceBuffer<std::uint8_t> codes(d_bwt.rows(), stream);
  const RowBytes bytes{d_bwt.bytes.data(), d_bwt.has_separators ? d_bwt.rows() : d_bwt.primary};
  codes_kernel<<<blocks_for(codes.size(), block_threads), block_threads, 0, stream>>>(
      bytes, d_code_of.data(), codes.size(), codes.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return codes;
}

}  // namespace gsx::cuda

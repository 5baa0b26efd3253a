#include "kernels/bwt.hpp"
#include "kernels/cub_temporary.hpp"
#include "kernels/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

__global__ void bwt_kernel(TextView text, const std::uint32_t* d_suffix_array,
                           std::uint8_t* d_codes) {
  const std::uint64_t row = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row >= text.length()) return;
  const std::uint64_t p = d_suffix_array[row];
  // The slot of a separator holds code 0, so only code 0 has to be looked at twice.
  const std::uint64_t code = p == 0 ? 0 : text.symbols[p - 1];
  d_codes[row] = code == 0 && text.segments.starts_at(p) ? 0xFF : static_cast<std::uint8_t>(code);
}

__global__ void gather_kernel(const std::uint32_t* d_suffix_array, const std::uint64_t* d_rows,
                              std::uint64_t size, std::uint64_t* d_positions) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_positions[i] = d_suffix_array[d_rows[i]];
}

__global__ void every_kernel(const std::uint32_t* d_suffix_array, std::uint64_t step,
                             std::uint64_t size, std::uint32_t* d_positions) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_positions[i] = d_suffix_array[i * step];
}

}  // namespace

void bwt_codes_async(const TextView& d_text, const DeviceBuffer<std::uint32_t>& suffix_array,
                     DeviceBuffer<std::uint8_t>& codes, cudaStream_t stream) {
  bwt_kernel<<<blocks_for(suffix_array.size(), block_threads), block_threads, 0, stream>>>(
      d_text, suffix_array.data(), codes.data());
  GSX_CUDA_CHECK(cudaGetLastError());
}

void gather_rows(const DeviceBuffer<std::uint32_t>& suffix_array,
                 std::span<const std::uint64_t> h_rows, std::uint64_t* h_positions,
                 cudaStream_t stream) {
  if (h_rows.empty()) return;
  DeviceBuffer<std::uint64_t> d_rows(h_rows.size(), stream), d_positions(h_rows.size(), stream);
  d_rows.copy_from_async(h_rows.data());
  gather_kernel<<<blocks_for(h_rows.size(), block_threads), block_threads, 0, stream>>>(
      suffix_array.data(), d_rows.data(), h_rows.size(), d_positions.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  d_positions.copy_to_async(h_positions);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
}

DeviceBuffer<std::uint32_t> every_row(const DeviceBuffer<std::uint32_t>& suffix_array,
                                      std::uint64_t step, cudaStream_t stream) {
  DeviceBuffer<std::uint32_t> d_positions((suffix_array.size() + step - 1) / step, stream);
  every_kernel<<<blocks_for(d_positions.size(), block_threads), block_threads, 0, stream>>>(
      suffix_array.data(), step, d_positions.size(), d_positions.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return d_positions;
}

}  // namespace gsx::cuda

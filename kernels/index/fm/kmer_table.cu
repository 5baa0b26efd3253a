#include "kernels/index/fm/kmer_table.hpp"

#include <utility>

#include "base/bits.hpp"
#include "kernels/base/copies.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Each thread writes as many bounds as make whole bytes.
__global__ void fill_kernel(FmView fm, KmerView shorter, KmerView longer, std::uint8_t* d_bytes) {
  constexpr std::uint64_t unit = PackedArray::slice_unit;
  const std::uint64_t begin = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) * unit;
  const std::uint64_t size = longer.bounds.size;
  if (begin >= size) return;
  const std::uint64_t end = size - begin < unit ? size : begin + unit;
  fill_kmer_bounds(fm, shorter, begin, end,
                   PackedWriter(d_bytes + begin * longer.bounds.bits / 8, longer.bounds.bits));
}

DeviceBuffer<std::uint8_t> zeros_async(std::uint64_t size, DeviceStream stream) {
  DeviceBuffer<std::uint8_t> buffer(size, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(buffer.data(), 0, buffer.bytes(), stream));
  return buffer;
}

}  // namespace

DeviceBuffer<std::uint8_t> kmer_bounds_async(const FmView& d_fm, std::uint32_t k,
                                             DeviceStream stream) {
  const std::uint32_t bits = bits_for(d_fm.rows());
  DeviceBuffer<std::uint8_t> bytes = zeros_async(PackedView::bytes_for(1, bits), stream);
  KmerView table{{bytes.data(), 1, bits}, 0, d_fm.sigma};
  while (table.k < k) {
    const std::uint64_t size = kmer_bound_count(d_fm.sigma, table.k + 1);
    auto longer_bytes = zeros_async(PackedView::bytes_for(size, bits), stream);
    const KmerView longer{{longer_bytes.data(), size, bits}, table.k + 1, d_fm.sigma};
    fill_kernel<<<blocks_for(divide_up(size, PackedArray::slice_unit), block_threads),
                  block_threads, 0, stream>>>(d_fm, table, longer, longer_bytes.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    bytes = std::move(longer_bytes);
    table = longer;
  }
  return bytes;
}

KmerTable build_kmer_table(const FmView& d_fm, std::uint32_t k, Transfer& transfer,
                           DeviceStream stream) {
  const auto d_bounds = kmer_bounds_async(d_fm, k, stream);
  return {PackedArray(copy_to_host(d_bounds, "k-mer table", transfer, stream),
                      kmer_bound_count(d_fm.sigma, k), bits_for(d_fm.rows())),
          d_fm.sigma, k};
}

}  // namespace gsx::cuda

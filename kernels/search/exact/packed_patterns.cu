#include <utility>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/exact/base_words.cuh"
#include "kernels/search/exact/packed_patterns.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Codes that one thread packs: whole words for any number of bits.
constexpr std::uint32_t codes_per_thread = 32;

__device__ void mark_foreign(std::uint64_t at, const std::uint64_t* d_ends, std::uint64_t count,
                             std::uint8_t* d_foreign) {
  std::uint64_t low = 0, high = count - 1;
  while (low < high) {  // first pattern that ends behind it
    const std::uint64_t middle = (low + high) / 2;
    if (d_ends[middle] <= at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  d_foreign[low] = 1;
}

/// Whether 16 codes, a byte each, are all below 4.
__device__ bool all_bases(const std::uint32_t (&words)[4]) {
  return ((words[0] | words[1] | words[2] | words[3]) & 0xFCFCFCFC) == 0;
}

__global__ void __launch_bounds__(block_threads)
    pack_kernel(const std::uint8_t* d_codes, std::uint64_t size, std::uint32_t bits,
                std::uint32_t sigma, const std::uint64_t* d_ends, std::uint64_t patterns,
                std::uint32_t* d_words, std::uint8_t* d_foreign) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t begin = thread * codes_per_thread;
  if (begin >= size) return;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint32_t* d_out = d_words + thread * bits;  // 32 codes of b bits are b words
  std::uint64_t pending = 0;
  std::uint32_t filled = 0;
  for (std::uint32_t part = 0; part < codes_per_thread; part += 16) {
    // The codes begin at an aligned address, and reading behind the last is allowed.
    const std::uint64_t at = begin + part;
    uint4 bytes{};
    if (at < size) bytes = *reinterpret_cast<const uint4*>(d_codes + at);
    const std::uint32_t words[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
    if (sigma == 4 && at + 16 <= size && all_bases(words)) {
      *d_out++ = pack_16_bases(words);
      continue;
    }
#pragma unroll
    for (std::uint32_t k = 0; k < 16; ++k) {
      const std::uint32_t code = words[k / 4] >> (k % 4 * 8) & 0xFF;
      if (code >= sigma && at + k < size) mark_foreign(at + k, d_ends, patterns, d_foreign);
      pending = pending << bits | (code & mask);
      filled += bits;
      if (filled >= 32) {
        filled -= 32;
        *d_out++ = __byte_perm(static_cast<std::uint32_t>(pending >> filled), 0, 0x0123);
      }
    }
  }
}

__global__ void encode_kernel(const char* d_letters, std::uint64_t size,
                              const std::uint8_t* d_code_of, std::uint8_t* d_codes) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_codes[i] = d_code_of[static_cast<unsigned char>(d_letters[i])];
}

}  // namespace

void encode_async(const char* d_letters, std::uint64_t size, const std::uint8_t* d_code_of,
                  std::uint8_t* d_codes, cudaStream_t stream) {
  if (size == 0) return;
  encode_kernel<<<blocks_for(size, block_threads), block_threads, 0, stream>>>(d_letters, size,
                                                                               d_code_of, d_codes);
  GSX_CUDA_CHECK(cudaGetLastError());
}

void pack_async(const std::uint8_t* d_codes, std::uint64_t size, std::uint32_t bits,
                std::uint32_t sigma, const std::uint64_t* d_ends, std::uint64_t patterns,
                std::uint32_t* d_words, std::uint8_t* d_foreign, cudaStream_t stream) {
  const std::uint64_t words = packed_words(size, bits) - PackedView::slack / 4;
  GSX_CUDA_CHECK(cudaMemsetAsync(d_words + words, 0, PackedView::slack, stream));
  if (size == 0) return;
  pack_kernel<<<blocks_for(divide_up(size, codes_per_thread), block_threads), block_threads, 0,
                stream>>>(d_codes, size, bits, sigma, d_ends, patterns, d_words, d_foreign);
  GSX_CUDA_CHECK(cudaGetLastError());
}

PackedPatterns::PackedPatterns(const std::uint8_t* d_codes, std::uint64_t size,
                               DeviceBuffer<std::uint64_t> ends, std::uint32_t bits,
                               std::uint32_t sigma, DeviceStream stream)
    : words_(packed_words(size, bits), stream),
      ends_(std::move(ends)),
      foreign_(ends_.size(), stream) {
  symbols_ = {reinterpret_cast<const std::uint8_t*>(words_.data()), size, bits};
  GSX_CUDA_CHECK(cudaMemsetAsync(foreign_.data(), 0, foreign_.bytes(), stream));
  pack_async(d_codes, size, bits, sigma, ends_.data(), ends_.size(), words_.data(), foreign_.data(),
             stream);
}

PatternsView PackedPatterns::view() const {
  return {symbols_, ends_.data(), foreign_.data(), ends_.size()};
}

}  // namespace gsx::cuda

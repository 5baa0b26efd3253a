#include <algorithm>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/text/symbol_code.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// counts[a << bits | b] += pairs of neighbouring symbols, in every stride-th block of positions.
__global__ void pair_counts_kernel(PackedView symbols, std::uint64_t stride,
                                   std::uint32_t* d_counts) {
  const std::uint64_t p = std::uint64_t{blockIdx.x} * stride * block_threads + threadIdx.x;
  if (p + 1 >= symbols.size) return;
  atomicAdd(&d_counts[symbols[p] << symbols.bits | symbols[p + 1]], 1u);
}

std::vector<std::uint32_t> count_pairs(const TextView& text, DeviceStream stream) {
  DeviceBuffer<std::uint32_t> d_counts(std::size_t{1} << 2 * text.symbols.bits, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(d_counts.data(), 0, d_counts.bytes(), stream));
  const std::uint64_t blocks = divide_up(text.length(), block_threads);
  const std::uint64_t stride = divide_up(text.length(), tuning::sampled_pairs);
  pair_counts_kernel<<<static_cast<unsigned>(divide_up(blocks, stride)), block_threads, 0,
                       stream>>>(text.symbols, stride, d_counts.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  std::vector<std::uint32_t> counts(d_counts.size());
  d_counts.copy_to_async(counts.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return counts;
}

}  // namespace

SymbolCode::SymbolCode(const TextView& d_text, DeviceStream stream)
    : sigma_(d_text.sigma), symbol_bits_(d_text.symbols.bits) {
  const std::vector<std::uint32_t> counts = count_pairs(d_text, stream);
  std::vector<AlphabeticWord> words(sigma_ + counts.size());
  std::vector<std::uint64_t> of_first(sigma_);
  std::uint64_t pairs = 0, bits = 0;
  for (std::uint32_t a = 0; a < sigma_; ++a) {
    const std::size_t row = std::size_t{a} << symbol_bits_;
    std::vector<std::uint64_t> of_next(sigma_);
    for (std::uint32_t b = 0; b < sigma_; ++b) {
      of_next[b] = counts[row + b];
      of_first[b] += counts[row + b];
    }
    assign_words(of_next, std::span(words).subspan(sigma_ + row, sigma_));
    for (std::uint32_t b = 0; b < sigma_; ++b) {
      pairs += of_next[b];
      bits += of_next[b] * word_length(words[sigma_ + row + b]);
    }
  }
  mean_bits_ = static_cast<double>(bits) / static_cast<double>(std::max<std::uint64_t>(1, pairs));
  assign_words(of_first, std::span(words).first(sigma_));
  words_ = DeviceBuffer<AlphabeticWord>(words.size(), stream);
  words_.copy_from_async(words.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));  // the words lie here
}

}  // namespace gsx::cuda

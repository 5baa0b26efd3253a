#include "index/fm/kmer_table.hpp"

#include <algorithm>

#include "arrays/rank/wavelet_matrix.hpp"
#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "index/fm/fm_index.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t bounds_per_task = std::uint64_t{1} << 14;
static_assert(bounds_per_task % PackedArray::slice_unit == 0);

/// Pre: k <= longest_kmer(sigma).
std::uint64_t kmer_count(std::uint32_t sigma, std::uint32_t k) {
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < k; ++i)
    count *= sigma;
  return count;
}

/// Size per symbol of an index with the default sampling rate, in 48ths of a bit: 8/3 bits per
/// level of the wavelet matrix, the text, and log2(n) / default_sample_rate bits of samples.
std::uint64_t symbol_cost(std::uint64_t n, std::uint32_t sigma) {
  const std::uint32_t bits = bits_for(sigma - 1);
  return 128 * WaveletMatrix::level_count(bits) + 48 * bits +
         48 / default_sample_rate * bits_for(n);
}

}  // namespace

std::uint32_t longest_kmer(std::uint32_t sigma) {
  std::uint32_t k = 0;
  for (std::uint64_t count = sigma; k < KmerView::max_k && count <= KmerView::max_kmers;
       count *= sigma) {
    ++k;
  }
  return k;
}

std::uint64_t kmer_bound_count(std::uint32_t sigma, std::uint32_t k) {
  return k == 0 ? 1 : kmer_count(sigma, k - 1) * (sigma + 1);
}

std::uint32_t choose_kmer_length(std::uint64_t n, std::uint32_t sigma) {
  constexpr std::uint64_t share = 10;
  const std::uint64_t budget = n * symbol_cost(n, sigma) / (48 * share);  // bits
  std::uint32_t k = 0;
  while (k < longest_kmer(sigma) && kmer_bound_count(sigma, k + 1) * bits_for(n) <= budget)
    ++k;
  return k;
}

KmerTable::KmerTable(const FmView& fm, std::uint32_t k, int threads)
    : bounds_(1, bits_for(fm.rows()), "k-mer table"), sigma_(fm.sigma) {
  for (; k_ < k; ++k_) {
    const KmerView shorter = view();
    PackedArray longer(kmer_bound_count(sigma_, k_ + 1), bounds_.bits(), "k-mer table");
    parallel_for(threads, divide_up(longer.size(), bounds_per_task), [&](std::uint64_t task, int) {
      const std::uint64_t begin = task * bounds_per_task;
      fill_kmer_bounds(fm, shorter, begin, std::min(longer.size(), begin + bounds_per_task),
                       longer.writer(begin));
    });
    bounds_ = std::move(longer);
  }
}

}  // namespace gsx

// Owner and builder of a KmerView.
#pragma once

#include <cstdint>

#include "base/packed.hpp"
#include "index/fm/fm_view.hpp"

namespace gsx {

/// The largest k that a table over sigma symbols may have: at most max_k, with at most max_kmers
/// k-mers. Pre: sigma >= 1.
std::uint32_t longest_kmer(std::uint32_t sigma);

/// Number of bounds in the table for k. Pre: k <= longest_kmer(sigma).
std::uint64_t kmer_bound_count(std::uint32_t sigma, std::uint32_t k);

/// The k for an index of n rows: the largest whose table takes at most a tenth of what the
/// index takes with the default sampling rate; 0 (no table) if even k = 1 takes more. Examples for
/// DNA: 8 for 4.6 million bases (0.24 MB), 10 for 100 million, 12 for 3.1 billion (84 MB).
std::uint32_t choose_kmer_length(std::uint64_t n, std::uint32_t sigma);

/// Writes bounds [begin, end) of the table for k + 1 from `shorter`, the table for k; the same code
/// runs on host and device. The first symbol of a k-mer is the highest digit of its number, and
/// prepending c to u is an LF step of both bounds. So the table for k + 1 is the table for k after
/// an LF step by symbol 0, then by symbol 1, and so on. The single bound 0 of k = 0 thus gives all
/// of k = 1 but the last bound, n. No bound exceeds n, even if the ranks of a hostile index do.
/// Pre: `out` starts at a byte boundary. Cost: one LF step per bound, in ascending rows.
GSX_HD void fill_kmer_bounds(const FmView& fm, const KmerView& shorter, std::uint64_t begin,
                             std::uint64_t end, PackedWriter out) {
  const std::uint64_t rows = fm.rows();
  const std::uint64_t step = shorter.bounds.size;
  auto code = static_cast<std::uint32_t>(begin / step);
  std::uint64_t within = begin - code * step;
  for (std::uint64_t i = begin; i < end; ++i) {
    const std::uint64_t bound = code < fm.sigma ? fm.lf(code, shorter.bounds[within]) : rows;
    out.push(bound < rows ? bound : rows);
    if (++within == step) {
      within = 0;
      ++code;
    }
  }
  out.finish();
}

class KmerTable {
 public:
  KmerTable() = default;
  /// The table of an index, of which it uses bwt, c_offset and sigma. The result depends only on
  /// the text and k. Pre: k <= longest_kmer(fm.sigma). Cost: about sigma / (sigma - 1) LF steps per
  /// bound, shared by `threads` threads. Throws ResourceError.
  KmerTable(const FmView& fm, std::uint32_t k, int threads);
  /// Takes bounds that were built elsewhere.
  KmerTable(PackedArray bounds, std::uint32_t sigma, std::uint32_t k)
      : bounds_(std::move(bounds)), k_(k), sigma_(sigma) {}

  KmerView view() const { return {bounds_.view(), k_, sigma_}; }
  const PackedArray& bounds() const { return bounds_; }
  std::uint32_t k() const { return k_; }

 private:
  PackedArray bounds_;
  std::uint32_t k_ = 0;
  std::uint32_t sigma_ = 0;
};

}  // namespace gsx

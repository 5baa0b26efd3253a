#include "search/matches/pair_sampling.hpp"

#include <algorithm>
#include <numeric>

#include "base/bits.hpp"

namespace gsx {
namespace {

/// Larger steps save nothing that counts.
constexpr std::uint32_t most_step = 64;

/// K-mers are half as long as the matches, up to matches of this length. The copies of a repeat
/// share many more k-mers of 28 bases than matches of 100, and each that they share is compared; of
/// 44 bases, few.
constexpr std::uint64_t long_match = 88;

/// A look-up of the query takes so many times as long as to keep a place of the target; each is
/// made on two strands.
constexpr double look_up = 1.5;

}  // namespace

PairSampling pair_sampling(std::uint64_t min_length, std::uint32_t bits,
                           std::uint64_t target_symbols, std::uint64_t most_samples) {
  const std::uint32_t longest = PairSampling::longest_kmer(bits);
  const std::uint32_t random_bits = bits_for(target_symbols) + 4;
  std::uint32_t kmer = std::max((random_bits + bits - 1) / bits,
                                static_cast<std::uint32_t>(std::min(min_length, long_match) / 2));
  kmer = static_cast<std::uint32_t>(std::min<std::uint64_t>({kmer, longest, min_length}));
  const std::uint64_t most_period = min_length - kmer + 1;
  PairSampling best{kmer, 1, 1};
  double least = -1;
  for (std::uint32_t target = 1; target <= most_step && target <= most_period; ++target) {
    auto query =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(most_step, most_period / target));
    while (std::gcd(target, query) != 1)
      --query;
    const bool fits = target_symbols / target <= most_samples;
    const double cost = 1.0 / target + look_up / query + (fits ? 0 : 100.0 / target);
    if (least >= 0 && cost >= least) continue;
    least = cost;
    best = {kmer, target, query};
  }
  return best;
}

}  // namespace gsx

#include "gsx/wavelet.hpp"

#include "arrays/wavelet/query_checks.hpp"
#include "arrays/wavelet/wavelet_queries.hpp"
#include "base/cpu_path.hpp"
#include "base/machine.hpp"
#include "base/public_call.hpp"

namespace gsx {

void access(const WaveletSequence& sequence, std::span<const std::uint64_t> positions,
            std::span<std::uint64_t> values, int threads) {
  require_access(sequence.size(), positions, values);
  with_gsx_errors([&] {
    access_many(sequence.view(), positions, values, threads_for(threads), best_cpu_path());
  });
}

void rank(const WaveletSequence& sequence, std::span<const std::uint64_t> values,
          std::span<const std::uint64_t> positions, std::span<std::uint64_t> ranks, int threads) {
  require_rank(sequence.size(), values, positions, ranks);
  with_gsx_errors([&] {
    rank_many(sequence.view(), values, positions, ranks, threads_for(threads), best_cpu_path());
  });
}

void select(const WaveletSequence& sequence, std::span<const std::uint64_t> values,
            std::span<const std::uint64_t> numbers, std::span<std::uint64_t> positions,
            int threads) {
  require_select(values, numbers, positions);
  with_gsx_errors([&] {
    select_many(sequence.view(), values, numbers, positions, threads_for(threads), best_cpu_path());
  });
}

}  // namespace gsx

#include "kernels/suffix_sorter.hpp"

#include <algorithm>
#include <utility>

#include "base/log.hpp"
#include "base/resources.hpp"
#include "kernels/first_sort.hpp"
#include "kernels/refine.hpp"
#include "kernels/tuning.hpp"

namespace gsx::cuda {

std::uint64_t sorting_bytes(std::uint64_t length) {
  const std::uint64_t batch = std::min(length, tuning::batch_suffixes);
  const std::uint64_t repeats = length / 10;
  return 4 * length + length / 8 + std::max(24 * batch, 38 * repeats + 4 * length);
}

DeviceBuffer<std::uint32_t> sort_suffixes(const TextView& d_text, cudaStream_t stream,
                                          const ProgressReport& progress) {
  Stopwatch watch;
  const std::uint64_t n = d_text.length();
  const KeyLayout layout(d_text, 64);
  SortedRows sorted = sort_by_first_key(layout, stream, progress);
  TiedRows tied(sorted, stream);
  std::uint64_t depth = layout.keys.symbols;
  log().debug("suffix array: sorted {} symbols deep in {:.4f} s, {} rows tied", depth, watch.lap(),
              tied.size());
  if (progress) progress("sorting repeats", -1);
  // Text first: rounds are cheap while few suffixes are tied. Where most of a text repeats, ranks
  // get further with the same work; where little is left, inverting the suffix array costs more.
  std::uint64_t spent = 0;
  unsigned deep_keys = tuning::first_deep_keys;
  for (unsigned round = 0; tied.size() != 0; ++round) {
    spent += tuning::round_weight * tied.size() + tuning::round_overhead;
    if (round >= 1 && (tied.size() > n / 8 || spent > 2 * n)) break;
    if (round % tuning::rounds_between == tuning::first_rounds) {
      compare_in_text(tied, d_text, depth, deep_keys, sorted.rows.data());
      deep_keys = std::min(deep_keys * tuning::deep_keys_growth, tuning::max_deep_keys);
      log().debug("suffix array: small groups compared in {:.4f} s, {} rows tied", watch.lap(),
                  tied.size());
    } else {
      depth = refine_by_text(tied, d_text, depth, sorted.rows.data());
    }
  }
  log().debug("suffix array: sorted {} symbols deep in {:.4f} s, {} rows tied", depth, watch.lap(),
              tied.size());
  if (tied.size() != 0) double_ranks(tied, n, depth, sorted.rows.data());
  log().debug("suffix array: ranks doubled in {:.4f} s", watch.lap());
  return std::move(sorted.rows);
}

}  // namespace gsx::cuda

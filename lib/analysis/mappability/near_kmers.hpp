// Counts, for each position of a text, the k-mers that differ from its own in a few symbols.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/mappability/frequency_codes.hpp"
#include "index/lcp/streamed_prefixes.hpp"
#include "text/both_strands.hpp"

namespace gsx {

/// What of a text is counted as a place of a k-mer.
struct KmerMatching {
  int mismatches = 0;                     ///< most symbols in which a place differs
  std::uint64_t cap = ~std::uint64_t{0};  ///< larger frequencies count as this
};

/// Adds to exact frequencies those of k-mers with 1 to matching.mismatches mismatches; a place that
/// a k-mer is near on both strands counts once. Takes the rows of a suffix array as
/// FrequencyBuilder does.
///
/// Two rows that agree on k / (mismatches + 1) symbols, and whose suffixes cannot be made longer to
/// the left, are looked at once: near_stretch.hpp finds their windows. Rows are left out if all
/// windows that they could add to have reached the cap.
/// Memory: 4.3 bytes per position and k; while more than 2048 rows agree on so many symbols, 36
/// bytes for each of them (40 of wide positions).
/// Cost: a few loads for each two such rows, and the text around those that may be near. There are
/// few in a genome if k / (mismatches + 1) is large; in random text of n bases,
/// n^2 / 2 / 4^(k / (mismatches + 1)).
template <class Pos>
class NearKmerBuilder {
 public:
  /// `codes` has the exact frequencies for each k of `lengths`, and gets the sums. It stays in use.
  /// `lcps` is the LCP array of the rows. Asks `require` for the memory of large groups. Pre: each
  /// k is above matching.mismatches.
  NearKmerBuilder(const BothStrandsView& text, std::span<const std::uint64_t> lengths,
                  std::span<const std::unique_ptr<FrequencyCodes>> codes,
                  const KmerMatching& matching, int threads, const LcpArray& lcps,
                  const RequireMemory& require = {});
  ~NearKmerBuilder();

  void add(const Pos* rows, std::uint64_t count);
  /// Pre: add() has had all rows. Call it once.
  void finish();

 private:
  class Counter;

  StreamedPrefixes<Pos> prefixes_;
  std::vector<std::unique_ptr<Counter>> counters_;
};

}  // namespace gsx

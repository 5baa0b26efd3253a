// Pairs of matches on the CPU.
#pragma once

#include <cstdint>
#include <span>

#include "search/matches/pair_finder.hpp"
#include "search/matches/pair_searcher.hpp"
#include "search/matches/pair_table.hpp"

namespace gsx {

class CpuPairSearcher final : public PairSearcher {
 public:
  /// Makes a table of the target's k-mers. Throws ResourceError where it takes more than
  /// setup.table_bytes, UsageError for a target that is too long for matches so short.
  explicit CpuPairSearcher(const PairSetup& setup);
  /// With any sampling that finds the matches, holding about `pairs_at_once` pairs. Throws as the
  /// one above.
  CpuPairSearcher(const PairSetup& setup, const PairSampling& sampling, std::size_t pairs_at_once);

  void take(const PackedView& queries) override { queries_ = queries; }
  void find(std::span<const PairPiece> pieces, const PairSink& sink) const override;
  std::uint64_t best_places() const override { return std::uint64_t{1} << 14; }

 private:
  PairTable table_;
  PairTarget target_;
  std::size_t pairs_at_once_;
  PackedView queries_;
};

}  // namespace gsx

// Searches long patterns with mismatches: looks up pieces of them in the FM-index.
#pragma once

#include <cstdint>
#include <span>

#include "machine/cpu_path.hpp"
#include "sa/suffix_array.hpp"
#include "scan/mismatches.hpp"
#include "search/huge_page_fm.hpp"
#include "store/index.hpp"

namespace gsx {

/// How a SeedSearcher works; results do not depend on it. Only tests change it.
struct SeedTuning {
  std::uint64_t least_copied = HugePageFm::worth_copying;  ///< as for CpuSearcher
  PositionWidth width = PositionWidth::automatic;
  /// Nanoseconds to compare one strand with one position of a scan; 0 makes it scan always.
  double position_cost = 1.5;
  /// Shorter pieces have so many rows in any text but a tiny one that a scan costs less.
  std::uint32_t least_piece = 4;
};

/// Cuts a pattern into one piece more than it may have mismatches, so that each place matches one
/// of them exactly. Looks the pieces up as the exact search does, and compares the places of each
/// with the packed text. A pattern that cannot be cut into pieces that are rare, and one with so
/// many places that reading the whole text costs less, is compared with every position.
class SeedSearcher final : public MismatchSearcher {
 public:
  /// Keeps views of `index`. Pre: the text is DNA, and this CPU has the instructions of `path`.
  SeedSearcher(const Index& index, const SearchMemory& memory, CpuPath path,
               const SeedTuning& tuning = {});

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override;
  void stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                   const HitSink& sink) const override;

  /// About how many nanoseconds of one thread a search for this pattern takes, if its pieces are as
  /// rare as in random text. Cost: a pass over the pattern.
  double cost(std::span<const BaseSet> pattern, const MismatchRequest& request) const;

 private:
  HugePageFm fm_;
  TextView text_;
  SearchMemory memory_;
  SeedTuning tuning_;
  bool wide_;
  CpuPath path_;
};

}  // namespace gsx

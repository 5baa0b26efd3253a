// Searches long patterns with mismatches: looks up pieces of them in the FM-index.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/cpu_path.hpp"
#include "index/sa/suffix_array.hpp"
#include "index/store/index.hpp"
#include "search/exact/huge_page_fm.hpp"
#include "search/mismatches/mismatch_way.hpp"

namespace gsx {

/// How a SeedSearcher works; results do not depend on it. Only tests change it.
struct SeedTuning {
  std::uint64_t least_copied = HugePageFm::worth_copying;  ///< as for CpuSearcher
  PositionWidth width = PositionWidth::automatic;
  /// How many times what it costs a scan is taken to cost; with 0, all patterns are scanned.
  double scan_factor = 1;
  /// Shorter pieces have so many rows in any text but a tiny one that a scan costs less.
  std::uint32_t least_piece = 4;
};

/// Cuts a pattern into one piece more than it may have mismatches, so that each place matches one
/// of them exactly. Looks the pieces up as the exact search does, and compares the places of each
/// with the packed text. Patterns that cannot be cut into pieces that are rare are left to a scan,
/// and so are those with so many places that it costs less, or that they cannot be held.
class SeedSearcher final : public MismatchWay {
 public:
  /// Keeps views of `index`, and `scan`, which searches its text. Pre: the text is DNA, and this
  /// CPU has the instructions of `path`.
  SeedSearcher(const Index& index, const MismatchWay& scan, const SearchMemory& memory,
               CpuPath path, const SeedTuning& tuning = {});

  std::string_view name() const override { return "seeds"; }
  double cost(const SetPatterns& patterns, const MismatchRequest& request) const override;
  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override;
  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override;

 private:
  template <class Taker>
  void run(const SetPatterns& patterns, const MismatchRequest& request, Taker& taker) const;

  HugePageFm fm_;
  TextView text_;
  const MismatchWay& scan_;
  SearchMemory memory_;
  SeedTuning tuning_;
  bool wide_;
  CpuPath path_;
};

}  // namespace gsx

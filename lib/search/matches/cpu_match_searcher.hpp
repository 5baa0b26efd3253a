// Finds maximal matches on the CPU, by an index.
#pragma once

#include <cstdint>
#include <vector>

#include "base/cpu_path.hpp"
#include "index/store/index.hpp"
#include "search/exact/huge_page_fm.hpp"
#include "search/matches/matches.hpp"
#include "search/matches/stretches.hpp"
#include "search/mismatches/thread_share.hpp"

namespace gsx {

class CpuMatchSearcher final : public MatchSearcher {
 public:
  /// Keeps views of `index`, which must outlive it. Fewer hits at once in `memory` mean fewer
  /// symbols of queries at once.
  CpuMatchSearcher(const Index& index, int threads, const SearchMemory& memory = {},
                   const MatchTuning& tuning = {}, CpuPath path = best_cpu_path());

  void stream(const Patterns& queries, const MatchRequest& request,
              const MatchSink& sink) const override;
  void count(const Patterns& queries, const MatchRequest& request,
             std::vector<std::uint8_t>& matched) const override;

 private:
  class Search;
  /// Symbols that are worth a thread of their own.
  static constexpr std::uint64_t symbols_per_thread = std::uint64_t{1} << 17;

  HugePageFm fm_;
  TextView text_;
  MatchTuning tuning_;
  std::uint64_t group_symbols_;
  std::uint64_t long_symbols_;
  bool complements_;
  bool wide_;
  CpuPath path_;
  mutable ThreadShare share_;
};

}  // namespace gsx

// Finds maximal matches on the CPU, by an index.
#pragma once

#include <cstdint>
#include <vector>

#include "match/match_walk.hpp"
#include "match/matches.hpp"
#include "scan/thread_share.hpp"
#include "search/huge_page_fm.hpp"
#include "store/index.hpp"

namespace gsx {

/// How queries are cut for the search. The matches do not depend on it.
struct MatchTuning {
  /// Symbols of queries that are searched together; a query that is longer comes alone.
  std::uint64_t group_symbols = std::uint64_t{1} << 18;
  /// A strand is searched in pieces of so many symbols, or in `most_pieces`, if that is fewer.
  std::uint64_t piece_symbols = 4096;
  std::uint64_t most_pieces = 256;
};

class CpuMatchSearcher final : public MatchSearcher {
 public:
  /// Keeps views of `index`, which must outlive it. Fewer hits at once in `memory` mean fewer
  /// symbols of queries at once.
  CpuMatchSearcher(const Index& index, int threads, const SearchMemory& memory = {},
                   const MatchTuning& tuning = {});

  void stream_matches(const Patterns& queries, const MatchRequest& request,
                      const MatchSink& sink) const override;

 private:
  std::vector<MaximalMatch> search_group(const Patterns& queries, const MatchRequest& request,
                                         const ThreadShare::Call& call,
                                         std::vector<std::uint64_t>& ends) const;

  HugePageFm fm_;
  TextView text_;
  MatchTuning tuning_;
  std::uint64_t group_symbols_;
  bool complements_;
  bool wide_;
  mutable ThreadShare share_;
};

}  // namespace gsx

// The figures of a run of queries.
#pragma once

#include <algorithm>
#include <cstdint>

#include "run/odd_symbols.hpp"
#include "search/exact/searcher.hpp"
#include "search/mismatches/unasked.hpp"

namespace gsx {

/// The figures of a run, or of a part of it.
struct QueryFigures {
  std::uint64_t queries = 0;
  std::uint64_t with_hits = 0;
  std::uint64_t hits = 0;
  std::uint64_t hits_reverse = 0;  ///< those on the reverse strand
  std::uint64_t truncated = 0;     ///< queries whose hits are not all reported
  std::uint64_t reported = 0;      ///< hits reported
  std::uint64_t like_dna = 0;      ///< queries of a protein index that look like DNA
  OddQueries odd;
  UnaskedQueries unasked;  ///< of a search with mismatches

  void add_query(const StrandCounts& counts, std::uint64_t max_hits) {
    const std::uint64_t total = counts.total();
    ++queries;
    with_hits += total != 0 ? 1 : 0;
    hits += total;
    hits_reverse += counts.reverse;
    truncated += total > max_hits ? 1 : 0;
    reported += std::min(total, max_hits);
  }
  /// Adds the figures of a later part.
  void add(const QueryFigures& later) {
    queries += later.queries;
    with_hits += later.with_hits;
    hits += later.hits;
    hits_reverse += later.hits_reverse;
    truncated += later.truncated;
    reported += later.reported;
    like_dna += later.like_dna;
    odd.add(later.odd);
    unasked.add(later.unasked);
  }
};

}  // namespace gsx

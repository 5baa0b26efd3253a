// Finds and writes the pairs of matches of queries, in order.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "output/lines/pair_report.hpp"
#include "run/packed_queries.hpp"
#include "run/query_tasks.hpp"
#include "search/matches/matches.hpp"
#include "search/matches/pair_searcher.hpp"

namespace gsx {

/// Which pairs to write, and how.
struct PairRules {
  PairRequest request;
  ResultFormat format = ResultFormat::tsv;
  bool by_file = false;  ///< whether to name the input files of targets
  /// Most places that a thread searches at a time, which the output does not depend on; 0: as many
  /// as the searcher does best.
  std::uint64_t part_symbols = 0;
  /// About how many pairs should begin in what a thread searches at a time.
  std::uint64_t part_pairs = std::uint64_t{1} << 15;
  /// Bytes of text that a thread holds before it waits for its turn and writes them. More bytes
  /// mean less waiting where more pairs begin than expected.
  std::size_t piece_bytes = std::size_t{4} << 20;
  /// Whether to read the next queries while those before are searched. This takes memory for both,
  /// and an error of the search waits until they have been read.
  bool reads_ahead = false;
};

struct PairFigures {
  std::uint64_t queries = 0;
  std::uint64_t unmatchable = 0;  ///< see PackedQueries::unmatchable()
  std::uint64_t with_pairs = 0;
  std::uint64_t pairs = 0;
};

/// Takes text, in order, from one thread at a time.
using WritePairs = std::function<void(std::string_view text)>;

/// Writes the pairs of all queries: those of a query together, first of the strand as given, then
/// of its reverse complement, and by their places in the query, then in the target, then by
/// length. So the output depends neither on the searcher, nor on the number of threads, nor on how
/// queries are cut. `complements`: whether the
/// symbols are those of DNA; if not, only forward strands are searched. `report` is called now and
/// then with the number of queries, by one thread at a time.
///
/// Each thread holds a piece of text and some pairs; see PairSearcher. Pairs that must be unique in
/// the query are held for a whole query: one at most per place of it. Pre: the searcher was made
/// for rules.request.min_length.
PairFigures write_pairs(PairSearcher& searcher, const QueryTargets& records, bool complements,
                        const PairRules& rules, PackedQueryReader& reader, PackedQueries& queries,
                        int threads, const WritePairs& write,
                        const std::function<void(std::uint64_t)>& report);

}  // namespace gsx

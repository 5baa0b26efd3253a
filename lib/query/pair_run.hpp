// Finds and writes the pairs of matches of queries, in order.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "match/matches.hpp"
#include "match/pair_finder.hpp"
#include "query/packed_queries.hpp"
#include "query/query_tasks.hpp"
#include "report/pair_report.hpp"

namespace gsx {

/// How the work is cut. The output does not depend on it.
struct PairTuning {
  std::uint64_t part_symbols = std::uint64_t{1} << 16;  ///< that a thread searches at a time
  std::size_t pairs_at_once = PairFinder::usual_pairs;  ///< see PairFinder
};

/// Which pairs to write, and how.
struct PairRules {
  PairRequest request;
  PairFormat format = PairFormat::tsv;
  PairTuning tuning = {};
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
/// length. So the output
/// depends neither on the number of threads nor on how queries are cut. `complements`: whether the
/// symbols are those of DNA; if not, only forward strands are searched. `report` is called now and
/// then with the number of queries, by one thread at a time.
///
/// Each thread holds a piece of text and some pairs; see PairFinder. Pairs that must be unique in
/// the query are held for a whole query: one at most per place of it.
PairFigures write_pairs(const PairTarget& target, const QueryTargets& records, bool complements,
                        const PairRules& rules, PackedQueryReader& reader, PackedQueries& queries,
                        int threads, const WritePairs& write,
                        const std::function<void(std::uint64_t)>& report);

}  // namespace gsx

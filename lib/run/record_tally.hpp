// Which records of the text the reads of a filter match best.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/lines/target_finder.hpp"
#include "search/exact/searcher.hpp"
#include "search/matches/matches.hpp"

namespace gsx {

/// A record that holds a longest match of a read.
struct BestRecord {
  std::uint64_t record;
  bool alone;  ///< whether no other record holds one
};

/// Finds the records that hold the longest matches of reads, with all their places. Used by one
/// thread.
class BestRecordFinder {
 public:
  /// The searchers must outlive it. Pre: their text has these targets.
  BestRecordFinder(const MatchSearcher& matches, const Searcher& places, const RecordsView& targets,
                   const SegmentsView& segments)
      : matches_(matches), places_(places), target_(targets, segments) {}

  /// Sets `found` to the records of each query i with matched[i], query by query.
  void find(const Patterns& queries, const std::vector<std::uint8_t>& matched,
            const MatchRequest& request, std::vector<BestRecord>& found);

 private:
  void add_longest(std::size_t query);
  void locate(Strands strands, std::vector<BestRecord>& found);

  const MatchSearcher& matches_;
  const Searcher& places_;
  TargetFinder target_;
  MatchPatterns queries_;               ///< those that match
  MatchPatterns longest_;               ///< their longest matches
  std::vector<std::size_t> owners_;     ///< the query of each of these
  std::vector<MaximalMatch> best_;      ///< of the query in progress, of equal length
  std::vector<std::uint64_t> holders_;  ///< records that hold a longest match of a query
};

/// Counts reads by record.
class RecordTally {
 public:
  explicit RecordTally(const RecordsView& targets)
      : targets_(targets), alone_(targets.size()), shared_(targets.size()) {}

  void add(const std::vector<BestRecord>& found);
  /// A table: `target_id`, `length`, `reads`, `reads_shared`, of all records in their order.
  std::string table() const;

 private:
  RecordsView targets_;
  std::vector<std::uint64_t> alone_, shared_;
};

}  // namespace gsx

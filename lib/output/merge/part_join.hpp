// Joins the partial results of the shards of an index into those of the whole.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "output/lines/mismatch_places.hpp"
#include "output/merge/merge.hpp"
#include "output/parts/part_reader.hpp"
#include "records/record_batch.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

/// Gives what all parts hold as a search of the whole index gives it to what formats it: batch by
/// batch, in the order of the queries, whose names and lengths the batches have. Holds some 2^16
/// hits or counts, and with --max-hits the hits of a query. Throws InputError for parts that do not
/// fit one another.
class PartJoin {
 public:
  /// Pre: the parts are in the order of the shards, and their targets are finished. Throws
  /// InputError unless they are of the same command, options and version.
  explicit PartJoin(std::deque<PartReader>& parts);

  using TakeHits =
      std::function<void(const RecordBatch&, const HitChunk&, const MismatchPlaces& of_the_hits)>;
  /// Gives all hits that a search of the whole index reports. Pre: the parts hold hits.
  MergeFigures hits(const TakeHits& take);

  /// `ends[i]` is the end of the counts of query i. Counts by record or file are in ascending
  /// order; by mismatches, those of a shard follow those of the shard before. A query with many
  /// counts by record may be in several batches.
  using TakeCounts = std::function<void(const RecordBatch&, std::span<const std::uint64_t> ends,
                                        std::span<const PlaceCount> counts)>;
  /// Gives all counts. Pre: the parts hold counts.
  MergeFigures counts(const TakeCounts& take);

 private:
  struct HeldHits {
    std::vector<Hit> hits;
    MismatchPlaces mismatches;
    std::vector<std::size_t> classes;
  };

  bool next_query();
  void begin_query();
  void begin_batch();
  bool is_full(std::size_t results) const;
  void add_query_hits(std::uint64_t reported, std::uint64_t in_parts, const TakeHits& take);
  void add_hit(const Hit& hit, std::span<const std::uint64_t> mismatches, const TakeHits& take);
  void give_hits(const TakeHits& take);
  void add_count(const PlaceCount& count, const TakeCounts& take);
  void give_counts(const TakeCounts& take);

  std::deque<PartReader>& parts_;
  std::uint64_t max_hits_ = unlimited;
  PartQuery query_, other_;  ///< the query at hand, and what another part has in its place
  StrandCounts total_;       ///< of the query, in all parts
  RecordBatch queries_;
  std::uint64_t batches_ = 0;
  std::vector<StrandCounts> totals_;
  std::vector<std::uint64_t> ends_;
  std::uint64_t before_ = 0;  ///< hits of the first query in earlier batches
  std::uint64_t given_ = 0;   ///< hits of the query that were added
  std::vector<Hit> hits_;
  MismatchPlaces mismatches_;
  std::vector<PlaceCount> counts_;
  HeldHits held_;
  MergeFigures figures_;
};

}  // namespace gsx

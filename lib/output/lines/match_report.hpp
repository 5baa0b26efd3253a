// Formats maximal matches as lines of text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/text_pieces.hpp"
#include "output/lines/match_row.hpp"
#include "output/lines/shown_targets.hpp"
#include "records/record_batch.hpp"
#include "search/exact/hits.hpp"
#include "search/matches/matches.hpp"
#include "text/text.hpp"

namespace gsx {

/// The header of the lines in TSV, with or without places, and with the files of these.
constexpr const char* match_header(bool places, bool by_file = false) {
  if (by_file) return header_of<WithFile<LocatedMatchColumns>>;
  return places ? header_of<LocatedMatchColumns> : header_of<MatchColumns>;
}

/// What is written of a query, in order: its matches, and then its end.
struct ReportedMatch {
  std::size_t query;
  MaximalMatch match;  ///< of length 0 at the end
  bool first;          ///< of its query
  bool end;
  bool without_places;  ///< it occurs too often for its places to be written
};

/// Writes matches and their places: as TSV; as BED on the queries, without places; as PAF, of
/// places only; as JSON lines, one object per query; or as fastmap, a block per query.
class MatchReport {
 public:
  /// `places`: whether the format is to have them. PAF and fastmap always do, BED never. `by_file`:
  /// whether TSV, PAF and JSON lines are to name the files of places, which they are to have then.
  MatchReport(ResultFormat format, bool places, const RecordsView& targets,
              const SegmentsView& segments, bool by_file = false);

  bool has_places() const { return places_; }
  /// Appends matches whose places are not written.
  void append(TextPieces& pieces, const RecordBatch& queries,
              std::span<const ReportedMatch> matches);
  /// Appends matches and their places. The patterns of the chunk are those matches; a chunk may
  /// hold only some of the places of its first and of its last pattern.
  void append(TextPieces& pieces, const RecordBatch& queries,
              std::span<const ReportedMatch> matches, const HitChunk& chunk);

 private:
  void begin(LineWriter& lines, const RecordBatch& queries, const ReportedMatch& match);
  void describe(LineWriter& lines, const ReportedMatch& match, std::uint64_t reported);
  void finish(LineWriter& lines) const;
  void put_place(LineWriter& lines, const Hit& hit, std::uint64_t number);

  ResultFormat format_;
  bool places_;
  bool by_file_;
  ShownTargets shown_targets_;
  MatchRow row_;
  std::string name_;  ///< of the query, as the format writes it
};

}  // namespace gsx

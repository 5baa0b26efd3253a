// Formats maximal matches as lines of text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/text_pieces.hpp"
#include "output/lines/target_finder.hpp"
#include "records/record_batch.hpp"
#include "search/exact/hits.hpp"
#include "search/matches/matches.hpp"
#include "text/text.hpp"

namespace gsx {

enum class MatchFormat : std::uint8_t {
  tsv,
  bed,      ///< on the queries: no places
  paf,      ///< places only
  jsonl,    ///< one object per query
  fastmap,  ///< a block per query, as `bwa fastmap` prints it
};

/// The header of the lines in TSV, with or without places.
std::string match_header(bool places);

/// What is written of a query, in order: its matches, and then its end.
struct ReportedMatch {
  std::size_t query;
  MaximalMatch match;  ///< of length 0 at the end
  bool first;          ///< of its query
  bool end;
  bool without_places;  ///< it occurs too often for its places to be written
};

/// Writes matches and their places.
class MatchReport {
 public:
  /// `places`: whether the format is to have them. PAF and fastmap always do, BED never.
  MatchReport(MatchFormat format, bool places, const RecordsView& targets,
              const SegmentsView& segments);

  bool has_places() const { return places_; }
  /// Appends matches whose places are not written.
  void append(TextPieces& pieces, const RecordBatch& queries,
              std::span<const ReportedMatch> matches);
  /// Appends matches and their places. The patterns of the chunk are those matches; a chunk may
  /// hold only some of the places of its first and of its last pattern.
  void append(TextPieces& pieces, const RecordBatch& queries,
              std::span<const ReportedMatch> matches, const HitChunk& chunk);

 private:
  void append_lines(TextPieces& pieces, const RecordBatch& queries,
                    std::span<const ReportedMatch> matches);
  void begin(const RecordBatch& queries, const ReportedMatch& match);
  void describe(const ReportedMatch& match, std::uint64_t reported);
  void finish();
  void put_place(const ReportedMatch& match, const Hit& hit, std::uint64_t number);

  MatchFormat format_;
  bool places_;
  RecordsView targets_;
  TargetFinder finder_;
  std::string* out_ = nullptr;   ///< takes the lines
  std::string name_;             ///< of the query, as the format writes it
  std::string length_;           ///< of the query
  std::string before_, behind_;  ///< what the lines of a match have in common
  std::uint64_t target_ = ~std::uint64_t{0};
  std::string target_name_;  ///< as the format writes it
};

}  // namespace gsx

// Formats pairs of matches as lines of text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/text_pieces.hpp"
#include "output/lines/match_row.hpp"
#include "output/lines/shown_targets.hpp"
#include "search/matches/matches.hpp"
#include "text/text.hpp"

namespace gsx {

/// The header of the lines in TSV.
constexpr const char* pair_header(bool by_file) {
  return by_file ? header_of<WithFile<PairColumns>> : header_of<PairColumns>;
}

/// A query whose pairs are written, and where it begins in what they refer to.
struct PairQuery {
  std::string_view name;
  std::uint64_t begin;
  std::uint64_t length;
};

/// Writes pairs as TSV, PAF, JSON lines with an object per pair, or as mummer does. Coordinates are
/// those of records, 0-based and half-open, on the forward strand of the target and on the query as
/// given; in the format mummer they are 1-based, and a pair on the reverse strand has the last base
/// of its interval of the query.
class PairReport {
 public:
  /// `by_file`: whether TSV, PAF and JSON lines are to name the files of targets.
  PairReport(ResultFormat format, const RecordsView& targets, const SegmentsView& segments,
             bool by_file = false);

  /// Writes the line that the pairs of a strand of a query follow, if the format has one.
  void begin(TextPieces& pieces, const PairQuery& query, bool reverse);
  void append(TextPieces& pieces, const PairQuery& query, std::span<const MatchPair> pairs);

 private:
  void append_mummer(std::string& out) const;

  ResultFormat format_;
  bool by_file_;
  ShownTargets shown_targets_;
  MatchRow row_;
  std::size_t name_width_ = 0;  ///< of the longest name of a target, in the format mummer
  std::string name_;            ///< of the query, as the format writes it
};

}  // namespace gsx

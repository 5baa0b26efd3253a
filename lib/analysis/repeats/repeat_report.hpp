// Formats repeats and pairs of their places as lines of text.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/repeats/repeat_values.hpp"
#include "output/lines/shown_targets.hpp"
#include "text/text.hpp"

namespace gsx {

/// A repeat, and a place of it.
struct RepeatRow : PlaceRow {
  std::uint64_t id = 0;
  std::uint64_t length = 0;
  ShownName places;  ///< all of them, as a list

  static constexpr std::uint64_t no_score = 0;
  std::uint64_t score() const { return no_score; }
};

/// Two places.
struct RepeatPairRow : PlaceRow {
  PlaceRow second;
  std::uint64_t length = 0;

  ShownName target2() const { return second.target; }
  std::uint64_t start2() const { return second.start; }
  std::uint64_t end2() const { return second.end; }
};

using RepeatColumns =
    Joined<Columns<Column<"repeat_id", &RepeatRow::id>, Column<"length", &RepeatRow::length>>,
           TotalColumns, Columns<Column<"places", &RepeatRow::places>>>;
using RepeatPairColumns = Joined<
    Without<PlaceColumns, "strand">,
    Columns<Column<"target_id2", &RepeatPairRow::target2>, Column<"start2", &RepeatPairRow::start2>,
            Column<"end2", &RepeatPairRow::end2>, Column<"length", &RepeatPairRow::length>,
            Column<"strand", &RepeatPairRow::strand>>>;

/// Writes repeats with the coordinates of records, on the forward strand: as TSV or JSON lines with
/// a line per repeat, or as BED or GFF3 with a line per place. In the list of places in TSV, a
/// comma in a name is written as \x2C, and backslashes before it are doubled.
class RepeatReport {
 public:
  RepeatReport(const RecordsView& targets, const SegmentsView& segments, ResultFormat format)
      : targets_(targets, segments, format),
        second_targets_(targets, segments, format),
        records_(targets),
        format_(format) {}

  /// What comes before the lines of repeats, or of pairs.
  std::string header(bool pairs) const;
  void append(std::string& out, std::uint64_t id, const Repeat& repeat);
  /// Appends a line of TSV or JSON. Pre: the format is one of these.
  void append_pair(std::string& out, const RepeatPair& pair);

 private:
  void find(const RepeatPlace& place);

  ShownTargets targets_, second_targets_;
  RecordsView records_;
  ResultFormat format_;
  RepeatRow row_;
  RepeatPairRow pair_;
  std::string places_;
};

}  // namespace gsx

// Formats repeats and pairs of their places as lines of text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/repeats/repeat_values.hpp"
#include "output/lines/place_order.hpp"
#include "output/lines/shown_targets.hpp"
#include "text/text.hpp"

namespace gsx {

/// A repeat, and a place of it.
struct RepeatRow : PlaceRow {
  std::uint64_t id = 0;
  std::uint64_t length = 0;
  ShownName places;  ///< all of them, as a list
  ShownName files;   ///< of these, likewise

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
  ShownName file2() const { return second.file; }
};

using RepeatColumns =
    Joined<Columns<Column<"repeat_id", &RepeatRow::id>, Column<"length", &RepeatRow::length>>,
           TotalColumns, Columns<Column<"places", &RepeatRow::places>>>;
using RepeatPairColumns = Joined<
    Without<PlaceColumns, "strand">,
    Columns<Column<"target_id2", &RepeatPairRow::target2>, Column<"start2", &RepeatPairRow::start2>,
            Column<"end2", &RepeatPairRow::end2>, Column<"length", &RepeatPairRow::length>,
            Column<"strand", &RepeatPairRow::strand>>>;

using RepeatColumnsWithFiles = Joined<RepeatColumns, Columns<Column<"files", &RepeatRow::files>>>;
using RepeatPairColumnsWithFiles =
    Joined<WithFile<RepeatPairColumns>, Columns<Column<"file_id2", &RepeatPairRow::file2>>>;

/// Writes repeats with the coordinates of records, on the forward strand: as TSV or JSON lines with
/// a line per repeat, or as BED or GFF3 with a line per place. In the lists of places and of files
/// in TSV, a comma in a name is written as \x2C, and backslashes before it are doubled.
class RepeatReport {
 public:
  RepeatReport(const RecordsView& targets, const SegmentsView& segments,
               const PlaceLineOptions& written)
      : targets_(targets, segments, written.format, written.by_file),
        second_targets_(targets, segments, written.format, written.by_file),
        records_(targets),
        written_(written),
        format_(written.format) {}

  /// What comes before the lines of repeats, or of pairs.
  std::string header(bool pairs) const;
  void append(KeyedLines& lines, std::uint64_t id, const Repeat& repeat);
  /// Appends a line of TSV or JSON, whose key is that of its first place. Pre: the format is one of
  /// these.
  void append_pair(KeyedLines& lines, const RepeatPair& pair);

 private:
  void find(const RepeatPlace& place);
  /// Appends the columns of pair_.
  template <class List>
  void append_columns(std::string& out) const;

  ShownTargets targets_, second_targets_;
  RecordsView records_;
  PlaceLineOptions written_;
  ResultFormat format_;
  RepeatRow row_;
  RepeatPairRow pair_;
  std::string places_, files_;
};

}  // namespace gsx

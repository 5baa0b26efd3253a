#include "output/lines/match_report.hpp"

#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// On the axis of the query.
using MatchBed = TabbedLine<Pick<LocatedMatchColumns, "query_id", "qstart", "qend", "n_total">>;

using JsonQueryMatches = JsonObject<
    Columns<Column<"query_id", &MatchRow::name>, Column<"length", &MatchRow::query_length>>,
    ",\"matches\":[">;
using JsonMatch = JsonObject<Pick<MatchColumns, "qstart", "qend", "n_fwd", "n_rev">, "}">;
using JsonLocatedMatch = JsonObject<
    Pick<LocatedMatchColumns, "qstart", "qend", "n_fwd", "n_rev", "n_reported", "truncated">,
    ",\"places\":[">;
using JsonPlace = JsonObject<MatchPlaceColumns, "}">;
using JsonPlaceWithFile = JsonObject<WithFile<MatchPlaceColumns>, "}">;

using FastmapQuery = LineLayout<TextValues, "\n", Field<"SQ\t", Column<"name", &MatchRow::name>>,
                                Field<"\t", Column<"length", &MatchRow::query_length>>>;
using FastmapMatch =
    LineLayout<TextValues, "", Field<"EM\t", Column<"start", &MatchRow::query_start>>,
               Field<"\t", Column<"end", &MatchRow::query_end>>,
               Field<"\t", Column<"total", &MatchRow::total>>>;
using FastmapPlace =
    LineLayout<TextValues, "", Field<"\t", Column<"target", &MatchRow::target>>,
               Field<":", Column<"strand", &MatchRow::strand>>, Field<"", StartFromOne>>;

void put(LineWriter& lines, std::string_view text) {
  lines.end(put_text(lines.begin(text.size()), text));
}

}  // namespace

MatchReport::MatchReport(ResultFormat format, bool places, const RecordsView& targets,
                         const SegmentsView& segments, bool by_file)
    : format_(format),
      places_(format == ResultFormat::paf || format == ResultFormat::fastmap ||
              (places && format != ResultFormat::bed)),
      by_file_(by_file),
      shown_targets_(targets, segments, format, by_file) {}

/// Writes what comes before a match, if it is the first of its query.
void MatchReport::begin(LineWriter& lines, const RecordBatch& queries, const ReportedMatch& match) {
  const bool json = format_ == ResultFormat::jsonl, fastmap = format_ == ResultFormat::fastmap;
  if (match.first) {
    name_.clear();
    const std::string_view name = queries.name(match.query);
    format_ == ResultFormat::bed ? append_bed_target(name_, name)
                                 : append_query(name_, name, format_);
    row_.name = {name_};
    row_.query_length = queries.length(match.query);
    if (json) JsonQueryMatches::write(lines, row_);
    if (fastmap) FastmapQuery::write(lines, row_);
  }
  if (match.end && json) put(lines, "]}\n");
  if (match.end && fastmap) put(lines, "//\n");
}

/// Writes what comes before the places of a match, or all of its line if the format has none.
void MatchReport::describe(LineWriter& lines, const ReportedMatch& reported_match,
                           std::uint64_t reported) {
  const MaximalMatch& match = reported_match.match;
  row_.query_start = match.begin;
  row_.length = match.length;
  row_.forward = match.counts.forward;
  row_.reverse = match.counts.reverse;
  row_.total = match.counts.total();
  row_.reported = reported;
  switch (format_) {
    case ResultFormat::tsv:
      if (!places_) TabbedLine<MatchColumns>::write(lines, row_);
      break;
    case ResultFormat::bed:
      MatchBed::write(lines, row_);
      break;
    case ResultFormat::jsonl:
      if (!reported_match.first) put(lines, ",");
      places_ ? JsonLocatedMatch::write(lines, row_) : JsonMatch::write(lines, row_);
      break;
    case ResultFormat::fastmap:
      FastmapMatch::write(lines, row_);
      if (reported_match.without_places) put(lines, "\t*");
      break;
    default:
      break;
  }
}

/// Writes what comes behind the places of a match.
void MatchReport::finish(LineWriter& lines) const {
  if (format_ == ResultFormat::jsonl && places_) put(lines, "]}");
  if (format_ == ResultFormat::fastmap) put(lines, "\n");
}

void MatchReport::put_place(LineWriter& lines, const Hit& hit, std::uint64_t number) {
  shown_targets_.find(hit.position(), row_);
  row_.end = row_.start + row_.length;
  row_.strand = hit.is_reverse() ? '-' : '+';
  switch (format_) {
    case ResultFormat::tsv:
      return by_file_ ? TabbedLine<WithFile<LocatedMatchColumns>>::write(lines, row_)
                      : TabbedLine<LocatedMatchColumns>::write(lines, row_);
    case ResultFormat::paf:
      return by_file_ ? MatchPaf<PafFile>::write(lines, row_) : MatchPaf<>::write(lines, row_);
    case ResultFormat::jsonl:
      if (number > 0) put(lines, ",");
      return by_file_ ? JsonPlaceWithFile::write(lines, row_) : JsonPlace::write(lines, row_);
    case ResultFormat::fastmap:
      return FastmapPlace::write(lines, row_);
    default:
      return;
  }
}

void MatchReport::append(TextPieces& pieces, const RecordBatch& queries,
                         std::span<const ReportedMatch> matches) {
  LineWriter lines(pieces);
  for (const ReportedMatch& match : matches) {
    begin(lines, queries, match);
    if (match.end) continue;
    describe(lines, match, 0);
    finish(lines);
  }
  lines.flush();
}

void MatchReport::append(TextPieces& pieces, const RecordBatch& queries,
                         std::span<const ReportedMatch> matches, const HitChunk& chunk) {
  LineWriter lines(pieces);
  std::uint64_t next = 0, number = chunk.before;  // number of the next place of its match
  for (std::size_t i = 0; i < chunk.patterns(); ++i, number = 0) {
    const ReportedMatch& match = matches[chunk.first + i];
    if (number == 0) begin(lines, queries, match);
    if (match.end) continue;
    const std::uint64_t reported = chunk.reported(i);
    if (number == 0) describe(lines, match, reported);
    for (; next < chunk.ends[i]; ++next, ++number)
      put_place(lines, chunk.hits[next], number);
    if (number == reported) finish(lines);
  }
  lines.flush();
}

}  // namespace gsx

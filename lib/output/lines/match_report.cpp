#include "output/lines/match_report.hpp"

#include <array>
#include <string_view>

#include "output/lines/line_writer.hpp"
#include "output/lines/query_names.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// The numbers of a line of TSV that tell of the match.
std::array<std::uint64_t, 5> columns_of(const MaximalMatch& match) {
  return {match.begin, match.end(), match.length, match.counts.forward, match.counts.reverse};
}

}  // namespace

std::string match_header(bool places) {
  return std::string("query_id\tqstart\tqend\tlength\tn_fwd\tn_rev") +
         (places ? "\ttarget_id\ttstart\ttend\tstrand\tn_total\tn_reported\ttruncated\n" : "\n");
}

MatchReport::MatchReport(MatchFormat format, bool places, const RecordsView& targets,
                         const SegmentsView& segments)
    : format_(format),
      places_(format == MatchFormat::paf || format == MatchFormat::fastmap ||
              (places && format != MatchFormat::bed)),
      targets_(targets),
      finder_(targets, segments) {}

/// Writes what comes before a match, if it is the first of its query.
void MatchReport::begin(const RecordBatch& queries, const ReportedMatch& match) {
  const std::size_t query = match.query;
  if (match.first) {
    name_.clear();
    length_.clear();
    append_number(length_, queries.length(query));
    if (format_ == MatchFormat::jsonl) {
      *out_ += "{\"query_id\":";
      append_json_string(*out_, queries.name(query));
      append_member(*out_, "length", queries.length(query));
      *out_ += ",\"matches\":[";
    } else if (format_ == MatchFormat::bed) {
      append_bed_target(name_, queries.name(query));
    } else {
      append_name(name_, queries.name(query));
    }
    if (format_ == MatchFormat::fastmap)
      out_->append("SQ\t").append(name_).append("\t").append(length_).append("\n");
  }
  if (match.end) {
    *out_ += format_ == MatchFormat::jsonl ? "]}\n" : format_ == MatchFormat::fastmap ? "//\n" : "";
  }
}

/// Writes what comes before the places of a match, or all of its line if the format has none.
void MatchReport::describe(const ReportedMatch& reported_match, std::uint64_t reported) {
  const MaximalMatch& match = reported_match.match;
  const std::uint64_t total = match.counts.total();
  std::string& out = *out_;
  switch (format_) {
    case MatchFormat::tsv:
      before_ = name_;
      for (const std::uint64_t value : columns_of(match))
        append_column(before_, value);
      behind_.clear();
      append_column(behind_, total);
      append_column(behind_, reported);
      behind_ += reported < total ? "\tyes\n" : "\tno\n";
      break;
    case MatchFormat::bed:
      out += name_;
      append_column(out, match.begin);
      append_column(out, match.end());
      append_column(out, total);
      out += '\n';
      break;
    case MatchFormat::paf:
      before_.assign(name_).append("\t").append(length_);
      append_column(before_, match.begin);
      append_column(before_, match.end());
      behind_.clear();
      append_column(behind_, match.length);
      append_column(behind_, match.length);
      behind_ += "\t255\tNM:i:0\tnh:i:";
      append_number(behind_, total);
      behind_ += "\tcg:Z:";
      append_number(behind_, match.length);
      behind_ += "=\n";
      break;
    case MatchFormat::jsonl:
      out += reported_match.first ? "{\"query_start\":" : ",{\"query_start\":";
      append_number(out, match.begin);
      append_member(out, "query_end", match.end());
      append_member(out, "n_fwd", match.counts.forward);
      append_member(out, "n_rev", match.counts.reverse);
      if (places_) {
        append_member(out, "n_reported", reported);
        out += reported < total ? ",\"truncated\":true,\"places\":["
                                : ",\"truncated\":false,\"places\":[";
      }
      break;
    case MatchFormat::fastmap:
      out += "EM";
      append_column(out, match.begin);
      append_column(out, match.end());
      append_column(out, total);
      if (reported_match.without_places) out += "\t*";
      break;
  }
}

/// Writes what comes behind the places of a match.
void MatchReport::finish() {
  if (format_ == MatchFormat::jsonl) *out_ += places_ ? "]}" : "}";
  if (format_ == MatchFormat::fastmap) *out_ += '\n';
}

void MatchReport::put_place(const ReportedMatch& match, const Hit& hit, std::uint64_t number) {
  const std::uint64_t start = finder_.start_of(hit.position()), end = start + match.match.length;
  if (finder_.target() != target_) {
    target_ = finder_.target();
    target_name_.clear();
    if (format_ == MatchFormat::jsonl) {
      append_json_string(target_name_, targets_.name(target_));
    } else {
      append_name(target_name_, targets_.name(target_));
    }
  }
  std::string& out = *out_;
  const char strand = hit.is_reverse() ? '-' : '+';
  switch (format_) {
    case MatchFormat::tsv:
      out.append(before_).append("\t").append(target_name_);
      append_column(out, start);
      append_column(out, end);
      (out += '\t') += strand;
      out += behind_;
      break;
    case MatchFormat::paf:
      ((out.append(before_) += '\t') += strand).append("\t").append(target_name_);
      append_column(out, targets_.infos[target_].length);
      append_column(out, start);
      append_column(out, end);
      out += behind_;
      break;
    case MatchFormat::jsonl:
      out.append(number == 0 ? "{\"target_id\":" : ",{\"target_id\":").append(target_name_);
      append_member(out, "start", start);
      append_member(out, "end", end);
      out.append(",\"strand\":\"").append(1, strand).append("\"}");
      break;
    case MatchFormat::fastmap:
      out.append("\t").append(target_name_).append(":").append(1, strand);
      append_number(out, start + 1);
      break;
    case MatchFormat::bed:
      break;
  }
}

/// Lines of TSV without places.
void MatchReport::append_lines(TextPieces& pieces, const RecordBatch& queries,
                               std::span<const ReportedMatch> matches) {
  LineWriter lines(pieces);
  QueryNames names(queries);
  for (const ReportedMatch& match : matches) {
    if (match.end) continue;
    const std::string_view name = names[match.query];
    const auto columns = columns_of(match.match);
    char* at = lines.begin(name.size() + columns.size() * (most_digits + 1) + 1);
    at = put_text(at, name);
    for (const std::uint64_t value : columns) {
      *at++ = '\t';
      at = put_number(at, value);
    }
    *at++ = '\n';
    lines.end(at);
  }
  lines.flush();
}

void MatchReport::append(TextPieces& pieces, const RecordBatch& queries,
                         std::span<const ReportedMatch> matches) {
  if (format_ == MatchFormat::tsv) return append_lines(pieces, queries, matches);
  out_ = &pieces.text();
  for (const ReportedMatch& match : matches) {
    begin(queries, match);
    if (match.end) continue;
    describe(match, 0);
    finish();
    pieces.check();
  }
  pieces.check();
}

void MatchReport::append(TextPieces& pieces, const RecordBatch& queries,
                         std::span<const ReportedMatch> matches, const HitChunk& chunk) {
  out_ = &pieces.text();
  std::uint64_t next = 0, number = chunk.before;  // number of the next place of its match
  for (std::size_t i = 0; i < chunk.patterns(); ++i, number = 0) {
    const ReportedMatch& match = matches[chunk.first + i];
    if (number == 0) begin(queries, match);
    if (match.end) continue;
    const std::uint64_t reported = chunk.reported(i);
    if (number == 0) describe(match, reported);
    for (; next < chunk.ends[i]; ++next, ++number) {
      put_place(match, chunk.hits[next], number);
      pieces.check();
    }
    if (number == reported) finish();
  }
  pieces.check();
}

}  // namespace gsx

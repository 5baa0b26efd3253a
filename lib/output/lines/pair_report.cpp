#include "output/lines/pair_report.hpp"

#include <algorithm>
#include <initializer_list>

#include "output/lines/line_writer.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// Columns of a number in the format mummer.
constexpr std::size_t number_width = 8;

/// Appends two blanks and a number, aligned to the right.
void append_aligned(std::string& out, std::uint64_t value) {
  char digits[most_digits];
  const std::string_view number(digits,
                                static_cast<std::size_t>(put_number(digits, value) - digits));
  out.append(2 + number_width - std::min(number_width, number.size()), ' ').append(number);
}

constexpr std::string_view paf_tags = "\t255\tNM:i:0\tcg:Z:";
/// Characters of a line of TSV or PAF beside the names, at most: seven numbers with a tab before
/// each, and what stands between and behind them.
constexpr std::size_t most_beside_names = 7 * (most_digits + 1) + paf_tags.size() + 8;

/// Writes numbers with a tab before each.
char* put_columns(char* at, std::initializer_list<std::uint64_t> values) {
  for (const std::uint64_t value : values) {
    *at++ = '\t';
    at = put_number(at, value);
  }
  return at;
}

}  // namespace

PairReport::PairReport(PairFormat format, const RecordsView& targets, const SegmentsView& segments)
    : format_(format), targets_(targets), finder_(targets, segments) {
  if (format != PairFormat::mummer) return;
  for (std::uint64_t target = 0; target < targets.size(); ++target) {
    name_target(target);
    name_width_ = std::max(name_width_, target_name_.size());
  }
}

/// Sets what a query's lines begin with.
void PairReport::name_query(const PairQuery& query) {
  query_.clear();
  switch (format_) {
    case PairFormat::tsv:
      append_name(query_, query.name);
      break;
    case PairFormat::paf:
      append_name(query_, query.name);
      append_column(query_, query.length);
      break;
    case PairFormat::jsonl:
      query_ = "{\"query_id\":";
      append_json_string(query_, query.name);
      break;
    case PairFormat::mummer:
      break;
  }
}

void PairReport::name_target(std::uint64_t target) {
  target_ = target;
  target_name_.clear();
  if (format_ == PairFormat::jsonl) {
    append_json_string(target_name_, targets_.name(target));
  } else {
    append_name(target_name_, targets_.name(target));
  }
  if (format_ == PairFormat::paf) append_column(target_name_, targets_.infos[target].length);
  if (target_name_.size() < name_width_) target_name_.resize(name_width_, ' ');
}

void PairReport::begin(TextPieces& pieces, const PairQuery& query, bool reverse) {
  if (format_ != PairFormat::mummer) return;
  std::string& out = pieces.text();
  append_name(out += "> ", query.name);
  out += reverse ? " Reverse\n" : "\n";
  pieces.check();
}

void PairReport::append(TextPieces& pieces, const PairQuery& query,
                        std::span<const MatchPair> pairs) {
  name_query(query);
  LineWriter lines(pieces);
  for (const MatchPair& pair : pairs) {
    const Place place = place_of(query, pair);
    const std::size_t most = query_.size() + target_name_.size() + most_beside_names;
    switch (format_) {
      case PairFormat::tsv:
        lines.end(put_tsv(lines.begin(most), place));
        break;
      case PairFormat::paf:
        lines.end(put_paf(lines.begin(most), place));
        break;
      case PairFormat::jsonl:
        append_json(pieces.text(), place);
        pieces.check();
        break;
      case PairFormat::mummer:
        append_mummer(pieces.text(), place);
        pieces.check();
        break;
    }
  }
  lines.flush();
}

/// Sets the target's name, too.
PairReport::Place PairReport::place_of(const PairQuery& query, const MatchPair& pair) {
  const std::uint64_t begin = pair.query - query.begin, start = finder_.start_of(pair.target);
  if (finder_.target() != target_) name_target(finder_.target());
  return {begin,       begin + pair.length,     start, start + pair.length,
          pair.length, pair.reverse ? '-' : '+'};
}

char* PairReport::put_tsv(char* at, const Place& place) const {
  at = put_text(at, query_);
  at = put_columns(at, {place.begin, place.end, place.length});
  *at++ = '\t';
  at = put_text(at, target_name_);
  at = put_columns(at, {place.target_begin, place.target_end});
  *at++ = '\t';
  *at++ = place.strand;
  *at++ = '\n';
  return at;
}

char* PairReport::put_paf(char* at, const Place& place) const {
  at = put_text(at, query_);
  at = put_columns(at, {place.begin, place.end});
  *at++ = '\t';
  *at++ = place.strand;
  *at++ = '\t';
  at = put_text(at, target_name_);
  at = put_columns(at, {place.target_begin, place.target_end, place.length, place.length});
  at = put_text(at, paf_tags);
  at = put_number(at, place.length);
  *at++ = '=';
  *at++ = '\n';
  return at;
}

void PairReport::append_json(std::string& out, const Place& place) const {
  out += query_;
  append_member(out, "query_start", place.begin);
  append_member(out, "query_end", place.end);
  append_member(out, "length", place.length);
  (out += ",\"target_id\":") += target_name_;
  append_member(out, "start", place.target_begin);
  append_member(out, "end", place.target_end);
  out.append(",\"strand\":\"").append(1, place.strand).append("\"}\n");
}

void PairReport::append_mummer(std::string& out, const Place& place) const {
  (out += "  ") += target_name_;
  append_aligned(out, place.target_begin + 1);
  append_aligned(out, place.strand == '-' ? place.end : place.begin + 1);
  append_aligned(out, place.length);
  out += '\n';
}

}  // namespace gsx

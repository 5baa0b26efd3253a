#include "report/pair_report.hpp"

#include <algorithm>

#include "report/text_format.hpp"

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
  for (const MatchPair& pair : pairs) {
    put(pieces.text(), query, pair);
    pieces.check();
  }
}

void PairReport::put(std::string& out, const PairQuery& query, const MatchPair& pair) {
  const std::uint64_t begin = pair.query - query.begin, end = begin + pair.length;
  const std::uint64_t start = finder_.start_of(pair.target), target_end = start + pair.length;
  if (finder_.target() != target_) name_target(finder_.target());
  const char strand = pair.reverse ? '-' : '+';
  if (format_ != PairFormat::mummer) out += query_;
  switch (format_) {
    case PairFormat::tsv:
      append_column(out, begin);
      append_column(out, end);
      append_column(out, pair.length);
      (out += '\t') += target_name_;
      append_column(out, start);
      append_column(out, target_end);
      (out += '\t') += strand;
      out += '\n';
      break;
    case PairFormat::paf:
      append_column(out, begin);
      append_column(out, end);
      (out += '\t') += strand;
      (out += '\t') += target_name_;
      append_column(out, start);
      append_column(out, target_end);
      append_column(out, pair.length);
      append_column(out, pair.length);
      out += "\t255\tNM:i:0\tcg:Z:";
      append_number(out, pair.length);
      out += "=\n";
      break;
    case PairFormat::jsonl:
      append_member(out, "query_start", begin);
      append_member(out, "query_end", end);
      append_member(out, "length", pair.length);
      (out += ",\"target_id\":") += target_name_;
      append_member(out, "start", start);
      append_member(out, "end", target_end);
      out.append(",\"strand\":\"").append(1, strand).append("\"}\n");
      break;
    case PairFormat::mummer:
      (out += "  ") += target_name_;
      append_aligned(out, start + 1);
      append_aligned(out, pair.reverse ? end : begin + 1);
      append_aligned(out, pair.length);
      out += '\n';
      break;
  }
}

}  // namespace gsx

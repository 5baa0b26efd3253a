#include "output/lines/pair_report.hpp"

#include <algorithm>

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

}  // namespace

PairReport::PairReport(ResultFormat format, const RecordsView& targets,
                       const SegmentsView& segments, bool by_file)
    : format_(format), by_file_(by_file), shown_targets_(targets, segments, format, by_file) {
  if (format != ResultFormat::mummer) return;
  std::string name;
  for (std::uint64_t target = 0; target < targets.size(); ++target) {
    name.clear();
    append_target(name, targets.name(target), format);
    name_width_ = std::max(name_width_, name.size());
  }
}

void PairReport::begin(TextPieces& pieces, const PairQuery& query, bool reverse) {
  if (format_ != ResultFormat::mummer) return;
  std::string& out = pieces.text();
  append_name(out += "> ", query.name);
  out += reverse ? " Reverse\n" : "\n";
  pieces.check();
}

void PairReport::append(TextPieces& pieces, const PairQuery& query,
                        std::span<const MatchPair> pairs) {
  name_.clear();
  append_query(name_, query.name, format_);
  row_.name = {name_};
  row_.query_length = query.length;
  LineWriter lines(pieces);
  for (const MatchPair& pair : pairs) {
    shown_targets_.find(pair.target, row_);
    row_.end = row_.start + pair.length;
    row_.query_start = pair.query - query.begin;
    row_.length = pair.length;
    row_.strand = pair.reverse ? '-' : '+';
    switch (format_) {
      case ResultFormat::paf:
        by_file_ ? PairPafWithFile::write(lines, row_) : PairPaf::write(lines, row_);
        break;
      case ResultFormat::jsonl:
        by_file_ ? JsonObject<WithFile<PairColumns>>::write(lines, row_)
                 : JsonObject<PairColumns>::write(lines, row_);
        break;
      case ResultFormat::mummer:
        append_mummer(pieces.text());
        pieces.check();
        break;
      default:
        by_file_ ? TabbedLine<WithFile<PairColumns>>::write(lines, row_)
                 : TabbedLine<PairColumns>::write(lines, row_);
        break;
    }
  }
  lines.flush();
}

void PairReport::append_mummer(std::string& out) const {
  const std::string_view target = row_.target.text;
  out.append("  ").append(target).append(name_width_ - target.size(), ' ');
  append_aligned(out, row_.start + 1);
  append_aligned(out, row_.strand == '-' ? row_.query_end() : row_.query_start + 1);
  append_aligned(out, row_.length);
  out += '\n';
}

}  // namespace gsx

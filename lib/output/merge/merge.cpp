#include "output/merge/merge.hpp"

#include <optional>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "output/merge/kinds.hpp"

namespace gsx {
namespace {

/// Lines that are sorted by place. Lines of one name that step back are of two records: coverage
/// has no other lines, and of hits, which may have another order, the names of the shard decide.
MergeFigures merge_places(PartKind kind, PartFiles& parts, Output& out) {
  const std::size_t expected = kind == PartKind::sorted_bed ? 6 : 4;
  std::vector<std::string_view> columns;
  MergeFigures figures;
  for (PartFile& part : parts) {
    std::optional<std::string> record;
    std::uint64_t begin = 0;
    while (part.next()) {
      split_columns(part.line(), columns);
      if (columns.size() != expected)
        part.fail("the line has " + std::to_string(columns.size()) + " columns, and not " +
                  std::to_string(expected) + ": the parts are not of this format");
      const std::uint64_t from = number_in(part, columns[1]);
      if (from >= number_in(part, columns[2])) part.fail("it ends before it begins");
      const bool steps_back = record == columns[0] && from < begin;
      if (steps_back && kind == PartKind::sorted_bed && !part.knows_shard())
        part.fail(
            "it begins before the line before it: the part is not in the order of places, or the "
            "shard has several records named '" +
            shown_name(columns[0]) + "'; if so, name the manifest by -x, which tells");
      if (steps_back || record != columns[0]) part.require_next_record(columns[0]);
      record = columns[0];
      begin = from;
      out.write(part.line());
      out.write("\n");
      ++figures.in_parts;
    }
  }
  return figures;
}

}  // namespace

bool is_by_place(PartKind kind) {
  return kind == PartKind::sorted_bed || kind == PartKind::bedgraph;
}

bool names_records(PartKind kind) {
  return is_by_place(kind) || kind == PartKind::records || kind == PartKind::tsv ||
         kind == PartKind::bed || kind == PartKind::paf;
}

bool names_files(PartKind kind) {
  return kind == PartKind::files || kind == PartKind::matrix || kind == PartKind::presence;
}

bool has_header(PartKind kind) {
  return kind != PartKind::bed && kind != PartKind::paf && kind != PartKind::jsonl &&
         !is_by_place(kind);
}

bool has_every_query(PartKind kind) {
  return kind == PartKind::counts || kind == PartKind::matrix || kind == PartKind::presence ||
         kind == PartKind::jsonl;
}

MergeFigures merge_parts(PartKind kind, PartFiles& parts, const MergeRules& rules, bool header,
                         Output& out) {
  switch (kind) {
    case PartKind::counts:
    case PartKind::matrix:
    case PartKind::presence:
      return merge_rows(kind, parts, rules, header, out);
    case PartKind::jsonl:
      return merge_json(parts, rules, out);
    case PartKind::sorted_bed:
    case PartKind::bedgraph:
      return merge_places(kind, parts, out);
    default:
      return merge_groups(kind, parts, rules, header, out);
  }
}

KeptHits kept_of(const std::vector<SpareHit>& hits, std::uint64_t most, const MergeRules& rules) {
  KeptHits kept;
  for (const SpareHit& hit : hits) {
    if (hit.mismatches > rules.most_mismatches)
      throw UsageError("the parts have hits with " + std::to_string(hit.mismatches) +
                       " mismatches: give -k K (with --iupac, too) as they were made "
                       "with, since it decides what --max-hits keeps");
    kept.add(hit.class_in(rules));
  }
  kept.keep(most);
  return kept;
}

void require_max_hits(const PartFile& part, std::uint64_t total, std::uint64_t reported,
                      bool truncated, const MergeRules& rules) {
  if (truncated != (reported < total) || reported > total)
    part.fail("the numbers of hits do not fit one another");
  if (truncated && rules.max_hits == unlimited) {
    throw UsageError(part.label() + ": the part was made with --max-hits " +
                     std::to_string(reported) + "; say so with --max-hits " +
                     std::to_string(reported) +
                     ", and with -k K (0 for an exact search) or --iupac, which decide what it "
                     "keeps; or name the summaries of the parts");
  }
  if (reported > rules.max_hits || (truncated && reported != rules.max_hits)) {
    throw UsageError(part.label() + ": the part was made with another --max-hits than " +
                     std::to_string(rules.max_hits));
  }
}

void fail_on_query(const PartFile& part, std::string_view found, std::string_view expected) {
  part.fail("the query is '" + shown_name(found) + "' and not '" + shown_name(expected) +
            "': the parts are not of the same queries in the same order");
}

void fail_on_columns(const PartFile& part, std::size_t found, std::size_t expected) {
  part.fail("the line has " + std::to_string(found) + " columns, and the header " +
            std::to_string(expected));
}

void fail_on_order(const PartFile& part, std::string_view file) {
  part.fail("the file '" + shown_name(file) +
            "' comes again: the parts are not in the order of the shards");
}

}  // namespace gsx

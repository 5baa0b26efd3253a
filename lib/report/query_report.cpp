#include "report/query_report.hpp"

#include "report/text_format.hpp"

namespace gsx {
namespace {

/// One hit in the coordinates of its target.
struct TargetRange {
  std::uint64_t target;
  std::uint64_t start;
  std::uint64_t end;
  char strand;
};

struct Query {
  std::string_view name;
  std::uint64_t length;
  std::uint64_t total;
  std::uint64_t reported;
};

void append_tsv(std::string& out, const Query& query, const TargetRange& range,
                const RecordsView& targets) {
  append_name(out, query.name);
  out += '\t';
  append_name(out, targets.name(range.target));
  Columns columns(out);
  columns << '\t' << range.start << '\t' << range.end << '\t' << range.strand << "\t0\t"
          << query.total << '\t' << query.reported
          << (query.reported < query.total ? "\tyes\n" : "\tno\n");
  columns.end();
}

void append_bed(std::string& out, const Query& query, const TargetRange& range,
                const RecordsView& targets) {
  append_bed_target(out, targets.name(range.target));
  Columns columns(out);
  columns << '\t' << range.start << '\t' << range.end << '\t';
  columns.end();
  append_name(out, query.name);
  columns << "\t0\t" << range.strand << '\n';
  columns.end();
}

void append_paf(std::string& out, const Query& query, const TargetRange& range,
                const RecordsView& targets) {
  append_name(out, query.name);
  Columns columns(out);
  columns << '\t' << query.length << "\t0\t" << query.length << '\t' << range.strand << '\t';
  columns.end();
  append_name(out, targets.name(range.target));
  columns << '\t' << targets.infos[range.target].length << '\t' << range.start << '\t' << range.end
          << '\t' << query.length << '\t' << query.length << "\t255\tNM:i:0\tnh:i:" << query.total
          << "\tcg:Z:" << query.length << "=\n";
  columns.end();
}

void open_json(std::string& out, const Query& query) {
  out += "{\"query_id\":";
  append_json_string(out, query.name);
  out += ",\"length\":";
  append_number(out, query.length);
  out += ",\"n_total\":";
  append_number(out, query.total);
  out += ",\"n_reported\":";
  append_number(out, query.reported);
  out += ",\"truncated\":";
  out += query.reported < query.total ? "true" : "false";
  out += ",\"hits\":[";
}

void append_json(std::string& out, const TargetRange& range, const RecordsView& targets) {
  out += "{\"target_id\":";
  append_json_string(out, targets.name(range.target));
  out += ",\"start\":";
  append_number(out, range.start);
  out += ",\"end\":";
  append_number(out, range.end);
  out += ",\"strand\":\"";
  out += range.strand;
  out += "\",\"mismatches\":0}";
}

}  // namespace

void append_counts(TextPieces& pieces, const RecordBatch& queries,
                   const std::vector<StrandCounts>& counts) {
  std::string& out = pieces.text();
  Columns columns(out);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    append_name(out, queries.name(i));
    columns << '\t' << queries.length(i) << '\t' << counts[i].total() << '\t' << counts[i].forward
            << '\t' << counts[i].reverse << '\n';
    columns.end();
    pieces.check();
  }
}

void append_hits(TextPieces& pieces, const RecordBatch& queries, const HitChunk& chunk,
                 const RecordsView& targets, const SegmentsView& segments, LocateFormat format) {
  std::string& out = pieces.text();
  const bool json = format == LocateFormat::jsonl;
  std::uint64_t number = chunk.before;  // number of the next hit among those of its query
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i, number = 0) {
    const std::size_t q = chunk.first + i;
    const Query query{queries.name(q), queries.length(q), chunk.counts[i].total(),
                      chunk.reported(i)};
    if (json && number == 0) open_json(out, query);
    for (; next < chunk.ends[i]; ++next, ++number) {
      const Hit hit = chunk.hits[next];
      const std::uint64_t segment = segments.segment_at(hit.position());
      const std::uint64_t start =
          targets.segment_offsets[segment] + hit.position() - segments.starts[segment];
      const TargetRange range{targets.segment_records[segment], start, start + query.length,
                              hit.is_reverse() ? '-' : '+'};
      switch (format) {
        case LocateFormat::tsv:
          append_tsv(out, query, range, targets);
          break;
        case LocateFormat::bed:
          append_bed(out, query, range, targets);
          break;
        case LocateFormat::paf:
          append_paf(out, query, range, targets);
          break;
        case LocateFormat::jsonl:
          if (number > 0) out += ',';
          append_json(out, range, targets);
          break;
      }
      pieces.check();
    }
    if (json && number == query.reported) out += "]}\n";
  }
}

}  // namespace gsx

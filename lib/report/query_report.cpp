#include "report/query_report.hpp"

#include "report/text_format.hpp"

namespace gsx {
namespace {

/// One hit in its target's coordinates.
struct Place {
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

void append_tsv(std::string& out, const Query& query, const Place& place,
                const RecordsView& targets) {
  append_name(out, query.name);
  out += '\t';
  append_name(out, targets.name(place.target));
  Columns columns(out);
  columns << '\t' << place.start << '\t' << place.end << '\t' << place.strand << "\t0\t"
          << query.total << '\t' << query.reported
          << (query.reported < query.total ? "\tyes\n" : "\tno\n");
  columns.end();
}

void append_bed(std::string& out, const Query& query, const Place& place,
                const RecordsView& targets) {
  const std::string_view target = targets.name(place.target);
  if (target.starts_with('#')) {  // which would begin a comment
    out += "\\x23";
    if (target.size() > 1) append_name(out, target.substr(1));
  } else {
    append_name(out, target);
  }
  Columns columns(out);
  columns << '\t' << place.start << '\t' << place.end << '\t';
  columns.end();
  append_name(out, query.name);
  columns << "\t0\t" << place.strand << '\n';
  columns.end();
}

void append_paf(std::string& out, const Query& query, const Place& place,
                const RecordsView& targets) {
  append_name(out, query.name);
  Columns columns(out);
  columns << '\t' << query.length << "\t0\t" << query.length << '\t' << place.strand << '\t';
  columns.end();
  append_name(out, targets.name(place.target));
  columns << '\t' << targets.infos[place.target].length << '\t' << place.start << '\t' << place.end
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

void append_json(std::string& out, const Place& place, const RecordsView& targets) {
  if (out.back() != '[') out += ',';
  out += "{\"target_id\":";
  append_json_string(out, targets.name(place.target));
  out += ",\"start\":";
  append_number(out, place.start);
  out += ",\"end\":";
  append_number(out, place.end);
  out += ",\"strand\":\"";
  out += place.strand;
  out += "\",\"mismatches\":0}";
}

}  // namespace

void append_counts(std::string& out, const RecordBatch& queries,
                   const std::vector<StrandCounts>& counts) {
  Columns columns(out);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    append_name(out, queries.name(i));
    columns << '\t' << queries.length(i) << '\t' << counts[i].total() << '\t' << counts[i].forward
            << '\t' << counts[i].reverse << '\n';
    columns.end();
  }
}

void append_hits(std::string& out, const RecordBatch& queries, const Hits& hits,
                 const RecordsView& targets, const SegmentsView& segments, LocateFormat format) {
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::uint64_t end = hits.hit_ends[i];
    const Query query{queries.name(i), queries.length(i), hits.counts[i].total(), end - begin};
    if (format == LocateFormat::jsonl) open_json(out, query);
    for (; begin < end; ++begin) {
      const Hit hit = hits.hits[begin];
      const std::uint64_t segment = segments.segment_at(hit.position());
      const std::uint64_t start =
          targets.segment_offsets[segment] + hit.position() - segments.starts[segment];
      const Place place{targets.segment_records[segment], start, start + query.length,
                        hit.is_reverse() ? '-' : '+'};
      switch (format) {
        case LocateFormat::tsv:
          append_tsv(out, query, place, targets);
          break;
        case LocateFormat::bed:
          append_bed(out, query, place, targets);
          break;
        case LocateFormat::paf:
          append_paf(out, query, place, targets);
          break;
        case LocateFormat::jsonl:
          append_json(out, place, targets);
          break;
      }
    }
    if (format == LocateFormat::jsonl) out += "]}\n";
  }
}

}  // namespace gsx

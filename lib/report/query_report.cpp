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
  out += '\t';
  append_number(out, place.start);
  out += '\t';
  append_number(out, place.end);
  out += '\t';
  out += place.strand;
  out += "\t0\t";
  append_number(out, query.total);
  out += '\t';
  append_number(out, query.reported);
  out += query.reported < query.total ? "\tyes\n" : "\tno\n";
}

void append_bed(std::string& out, const Query& query, const Place& place,
                const RecordsView& targets) {
  append_name(out, targets.name(place.target));
  out += '\t';
  append_number(out, place.start);
  out += '\t';
  append_number(out, place.end);
  out += '\t';
  append_name(out, query.name);
  out += "\t0\t";
  out += place.strand;
  out += '\n';
}

void append_paf(std::string& out, const Query& query, const Place& place,
                const RecordsView& targets) {
  append_name(out, query.name);
  out += '\t';
  append_number(out, query.length);
  out += "\t0\t";
  append_number(out, query.length);
  out += '\t';
  out += place.strand;
  out += '\t';
  append_name(out, targets.name(place.target));
  out += '\t';
  append_number(out, targets.infos[place.target].length);
  for (const std::uint64_t value : {place.start, place.end, query.length, query.length}) {
    out += '\t';
    append_number(out, value);
  }
  out += "\t255\tNM:i:0\tnh:i:";
  append_number(out, query.total);
  out += "\tcg:Z:";
  append_number(out, query.length);
  out += "=\n";
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
  for (std::size_t i = 0; i < queries.size(); ++i) {
    append_name(out, queries.name(i));
    const std::uint64_t values[] = {queries.sequence(i).size(), counts[i].total(),
                                    counts[i].forward, counts[i].reverse};
    for (const std::uint64_t value : values) {
      out += '\t';
      append_number(out, value);
    }
    out += '\n';
  }
}

void append_hits(std::string& out, const RecordBatch& queries, const Hits& hits,
                 const RecordsView& targets, const SegmentsView& segments, LocateFormat format) {
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::uint64_t end = hits.hit_ends[i];
    const Query query{queries.name(i), queries.sequence(i).size(), hits.counts[i].total(),
                      end - begin};
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

#include "report/query_report.hpp"

#include <string>

#include "report/line_writer.hpp"
#include "report/text_format.hpp"

namespace gsx {
namespace {

/// The names of a batch's queries as columns.
class QueryNames {
 public:
  explicit QueryNames(const RecordBatch& queries)
      : queries_(queries), plain_(are_plain_names(queries.names)) {}

  /// Valid until the next call.
  std::string_view operator[](std::size_t i) {
    const std::string_view name = queries_.name(i);
    if (plain_ && name.size() > 1) return name;
    column_.clear();
    append_name(column_, name);
    return column_;
  }

 private:
  const RecordBatch& queries_;
  bool plain_;  ///< no name needs a look at its bytes
  std::string column_;
};

/// Where a hit lies in its record. Remembers the last segment, since hits often share it.
class TargetFinder {
 public:
  TargetFinder(const RecordsView& targets, const SegmentsView& segments)
      : targets_(targets), segments_(segments) {}

  /// Start in the record; target() is then its number.
  std::uint64_t start_of(std::uint64_t position) {
    if (position - begin_ >= size_) find(position);
    return offset_ + (position - begin_);
  }
  std::uint64_t target() const { return target_; }

 private:
  void find(std::uint64_t position) {
    const std::uint64_t segment = segments_.segment_at(position);
    begin_ = segments_.starts[segment];
    size_ = segments_.starts[segment + 1] - begin_;
    offset_ = targets_.segment_offsets[segment];
    target_ = targets_.segment_records[segment];
  }

  const RecordsView& targets_;
  const SegmentsView& segments_;
  std::uint64_t begin_ = 0;
  std::uint64_t size_ = 0;  ///< 0 before the first segment
  std::uint64_t offset_ = 0;
  std::uint64_t target_ = 0;
};

/// What the lines of a target's hits have in common.
struct TargetColumns {
  std::uint64_t number = ~std::uint64_t{0};
  std::string name;    ///< as the format writes it
  std::string length;  ///< of the record
};

/// What the lines of a query's hits have in common.
struct QueryColumns {
  std::string_view name;
  std::uint64_t length = ~std::uint64_t{0};
  std::uint64_t total = 0;
  std::uint64_t reported = 0;
  std::string text;  ///< what else the format repeats, made of these numbers
};

struct Place {
  std::uint64_t start;
  std::uint64_t end;
  char strand;
};

/// Columns of numbers and words in a line, at most; names come on top.
constexpr std::size_t other_columns = 4 * most_digits + 16;

void append_column(std::string& out, std::uint64_t value) {
  out += '\t';
  append_number(out, value);
}

struct TsvLines {
  static void name_target(std::string& out, std::string_view name) { append_name(out, name); }
  static void describe(QueryColumns& query) {
    query.text = "\t0";
    append_column(query.text, query.total);
    append_column(query.text, query.reported);
    query.text += query.reported < query.total ? "\tyes\n" : "\tno\n";
  }
  static char* put(char* at, const QueryColumns& query, const TargetColumns& target,
                   const Place& place) {
    at = put_text(at, query.name);
    *at++ = '\t';
    at = put_text(at, target.name);
    *at++ = '\t';
    at = put_number(at, place.start);
    *at++ = '\t';
    at = put_number(at, place.end);
    *at++ = '\t';
    *at++ = place.strand;
    return put_text(at, query.text);
  }
};

struct BedLines {
  static void name_target(std::string& out, std::string_view name) { append_bed_target(out, name); }
  static void describe(QueryColumns&) {}
  static char* put(char* at, const QueryColumns& query, const TargetColumns& target,
                   const Place& place) {
    at = put_text(at, target.name);
    *at++ = '\t';
    at = put_number(at, place.start);
    *at++ = '\t';
    at = put_number(at, place.end);
    *at++ = '\t';
    at = put_text(at, query.name);
    const char rest[] = {'\t', '0', '\t', place.strand, '\n'};
    return put_text(at, {rest, sizeof rest});
  }
};

struct PafLines {
  static void name_target(std::string& out, std::string_view name) { append_name(out, name); }
  static void describe(QueryColumns& query) {
    append_column(query.text, query.length);
    append_column(query.text, query.length);
    query.text += "\t255\tNM:i:0\tnh:i:";
    append_number(query.text, query.total);
    query.text += "\tcg:Z:";
    append_number(query.text, query.length);
    query.text += "=\n";
  }
  static char* put(char* at, const QueryColumns& query, const TargetColumns& target,
                   const Place& place) {
    at = put_text(at, query.name);
    *at++ = '\t';
    at = put_number(at, query.length);
    at = put_text(at, "\t0\t");
    at = put_number(at, query.length);
    *at++ = '\t';
    *at++ = place.strand;
    *at++ = '\t';
    at = put_text(at, target.name);
    *at++ = '\t';
    at = put_text(at, target.length);
    *at++ = '\t';
    at = put_number(at, place.start);
    *at++ = '\t';
    at = put_number(at, place.end);
    return put_text(at, query.text);
  }
};

/// The objects inside the line of a query.
struct JsonHits {
  static void name_target(std::string& out, std::string_view name) {
    append_json_string(out, name);
  }
  static void describe(QueryColumns&) {}
  static char* put(char* at, const QueryColumns&, const TargetColumns& target, const Place& place) {
    at = put_text(at, "{\"target_id\":");
    at = put_text(at, target.name);
    at = put_text(at, ",\"start\":");
    at = put_number(at, place.start);
    at = put_text(at, ",\"end\":");
    at = put_number(at, place.end);
    at = put_text(at, ",\"strand\":\"");
    *at++ = place.strand;
    return put_text(at, "\",\"mismatches\":0}");
  }
};

/// Calls begin(i, number) before the hits of the chunk's i-th query, of which `number`
/// are in earlier chunks; before_hit(at, number) before each; end(i, number) behind them.
template <class Format, class Begin, class BeforeHit, class End>
void put_hits(LineWriter& lines, const RecordBatch& queries, const HitChunk& chunk,
              const RecordsView& targets, const SegmentsView& segments, const Begin& begin,
              const BeforeHit& before_hit, const End& end) {
  QueryNames names(queries);
  TargetFinder finder(targets, segments);
  QueryColumns query;
  TargetColumns target;
  std::uint64_t number = chunk.before;  // number of the next hit among those of its query
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i, number = 0) {
    const std::size_t q = chunk.first + i;
    begin(i, number);
    if (next == chunk.ends[i]) {
      end(i, number);
      continue;
    }
    query.name = names[q];
    const std::uint64_t length = queries.length(q), total = chunk.counts[i].total(),
                        reported = chunk.reported(i);
    if (length != query.length || total != query.total || reported != query.reported) {
      query.length = length;
      query.total = total;
      query.reported = reported;
      query.text.clear();
      Format::describe(query);
    }
    for (; next < chunk.ends[i]; ++next, ++number) {
      const Hit hit = chunk.hits[next];
      const std::uint64_t start = finder.start_of(hit.position());
      if (finder.target() != target.number) {
        target.number = finder.target();
        target.name.clear();
        Format::name_target(target.name, targets.name(target.number));
        target.length.clear();
        append_number(target.length, targets.infos[target.number].length);
      }
      char* at = lines.begin(query.name.size() + query.text.size() + target.name.size() +
                             target.length.size() + other_columns);
      at = before_hit(at, number);
      lines.end(Format::put(at, query, target,
                            {start, start + query.length, hit.is_reverse() ? '-' : '+'}));
    }
    end(i, number);
  }
}

template <class Format>
void put_lines(LineWriter& lines, const RecordBatch& queries, const HitChunk& chunk,
               const RecordsView& targets, const SegmentsView& segments) {
  const auto nothing = [](std::size_t, std::uint64_t) {};
  put_hits<Format>(
      lines, queries, chunk, targets, segments, nothing, [](char* at, std::uint64_t) { return at; },
      nothing);
}

void put_json(LineWriter& lines, const RecordBatch& queries, const HitChunk& chunk,
              const RecordsView& targets, const SegmentsView& segments) {
  std::string opening;
  const auto open = [&](std::size_t i, std::uint64_t number) {
    if (number != 0) return;
    const std::size_t q = chunk.first + i;
    const std::uint64_t total = chunk.counts[i].total(), reported = chunk.reported(i);
    opening = "{\"query_id\":";
    append_json_string(opening, queries.name(q));
    opening += ",\"length\":";
    append_number(opening, queries.length(q));
    opening += ",\"n_total\":";
    append_number(opening, total);
    opening += ",\"n_reported\":";
    append_number(opening, reported);
    opening += ",\"truncated\":";
    opening += reported < total ? "true" : "false";
    opening += ",\"hits\":[";
    lines.end(put_text(lines.begin(opening.size()), opening));
  };
  const auto separate = [](char* at, std::uint64_t number) {
    if (number > 0) *at++ = ',';
    return at;
  };
  const auto close = [&](std::size_t i, std::uint64_t number) {
    constexpr std::string_view closing = "]}\n";
    if (number == chunk.reported(i)) lines.end(put_text(lines.begin(closing.size()), closing));
  };
  put_hits<JsonHits>(lines, queries, chunk, targets, segments, open, separate, close);
}

}  // namespace

void append_counts(TextPieces& pieces, const RecordBatch& queries,
                   const std::vector<StrandCounts>& counts) {
  LineWriter lines(pieces);
  QueryNames names(queries);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::string_view name = names[i];
    char* at = put_text(lines.begin(name.size() + other_columns), name);
    *at++ = '\t';
    at = put_number(at, queries.length(i));
    *at++ = '\t';
    at = put_number(at, counts[i].total());
    *at++ = '\t';
    at = put_number(at, counts[i].forward);
    *at++ = '\t';
    at = put_number(at, counts[i].reverse);
    *at++ = '\n';
    lines.end(at);
  }
  lines.flush();
}

void append_hits(TextPieces& pieces, const RecordBatch& queries, const HitChunk& chunk,
                 const RecordsView& targets, const SegmentsView& segments, LocateFormat format) {
  LineWriter lines(pieces);
  switch (format) {
    case LocateFormat::tsv:
      put_lines<TsvLines>(lines, queries, chunk, targets, segments);
      break;
    case LocateFormat::bed:
      put_lines<BedLines>(lines, queries, chunk, targets, segments);
      break;
    case LocateFormat::paf:
      put_lines<PafLines>(lines, queries, chunk, targets, segments);
      break;
    case LocateFormat::jsonl:
      put_json(lines, queries, chunk, targets, segments);
      break;
  }
  lines.flush();
}

}  // namespace gsx

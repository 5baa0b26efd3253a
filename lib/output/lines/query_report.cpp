#include "output/lines/query_report.hpp"

#include <string>

#include "output/lines/cigars.hpp"
#include "output/lines/line_writer.hpp"
#include "output/lines/query_names.hpp"
#include "output/lines/target_finder.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// What the lines of a target's hits have in common.
struct TargetColumns {
  std::uint64_t number = ~std::uint64_t{0};
  std::string name;    ///< as the format writes it
  std::string length;  ///< of the record
  std::string file;    ///< that it came from, as the format adds it; "" if it does not
};

/// What the lines of a query's hits have in common.
struct QueryColumns {
  std::string_view name;
  std::uint64_t length = ~std::uint64_t{0};
  std::uint64_t total = 0;
  std::uint64_t reported = 0;
  std::string text;  ///< what else the format repeats, made of these numbers
  std::string tail;  ///< the same for what comes last in PAF
};

struct Place {
  std::uint64_t start;
  std::uint64_t end;
  char strand;
  std::uint32_t mismatches;
  std::uint64_t query_start;  ///< of the symbols of the query that lie there
  std::string_view cigar;     ///< in PAF only
};

/// Each format has a bound of what its lines hold beside the strings of QueryColumns, TargetColumns
/// and Place: `most_numbers` numbers, and `most_others` other characters. Where no line may leave
/// its target (`splits`), a place that spans an origin is two lines.
template <class Format>
constexpr std::size_t most_beside_strings = Format::most_numbers* most_digits + Format::most_others;

struct TsvLines {
  static constexpr bool has_cigar = false, splits = false;
  static constexpr std::size_t most_numbers = 3, most_others = 7;
  static void name_target(std::string& out, std::string_view name) { append_name(out, name); }
  static void name_file(std::string& out, std::string_view name) {
    out += '\t';
    append_name(out, name);
  }
  static void describe(QueryColumns& query) {
    append_column(query.text, query.total);
    append_column(query.text, query.reported);
    query.text += query.reported < query.total ? "\tyes" : "\tno";
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
    *at++ = '\t';
    at = put_number(at, place.mismatches);
    at = put_text(at, query.text);
    at = put_text(at, target.file);
    *at++ = '\n';
    return at;
  }
};

struct BedLines {
  static constexpr bool has_cigar = false, splits = true;
  static constexpr std::size_t most_numbers = 3, most_others = 7;
  static void name_target(std::string& out, std::string_view name) { append_bed_target(out, name); }
  static void name_file(std::string&, std::string_view) {}  // BED6 has no place for it
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
    *at++ = '\t';
    at = put_number(at, place.mismatches);
    *at++ = '\t';
    *at++ = place.strand;
    *at++ = '\n';
    return at;
  }
};

struct PafLines {
  static constexpr bool has_cigar = true, splits = true;
  static constexpr std::string_view to_mismatches = "\t255\tNM:i:";
  static constexpr std::size_t most_numbers = 8, most_others = to_mismatches.size() + 12;
  static void name_target(std::string& out, std::string_view name) { append_name(out, name); }
  static void name_file(std::string& out, std::string_view name) {
    out += "\tfi:Z:";
    append_name(out, name);
  }
  static void describe(QueryColumns& query) {
    query.tail = "\tnh:i:";
    append_number(query.tail, query.total);
    query.tail += "\tcg:Z:";
  }
  static char* put(char* at, const QueryColumns& query, const TargetColumns& target,
                   const Place& place) {
    const std::uint64_t size = place.end - place.start;
    at = put_text(at, query.name);
    *at++ = '\t';
    at = put_number(at, query.length);
    *at++ = '\t';
    at = put_number(at, place.query_start);
    *at++ = '\t';
    at = put_number(at, place.query_start + size);
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
    *at++ = '\t';
    at = put_number(at, size - place.mismatches);
    *at++ = '\t';
    at = put_number(at, size);
    at = put_text(at, to_mismatches);
    at = put_number(at, place.mismatches);
    at = put_text(at, query.tail);
    at = put_text(at, place.cigar);
    at = put_text(at, target.file);
    *at++ = '\n';
    return at;
  }
};

/// The objects inside the line of a query.
struct JsonHits {
  static constexpr bool has_cigar = false, splits = false;
  static constexpr std::string_view to_target = "{\"target_id\":", to_start = ",\"start\":",
                                    to_end = ",\"end\":", to_strand = ",\"strand\":\"",
                                    to_mismatches = "\",\"mismatches\":";
  /// With the comma before it.
  static constexpr std::size_t most_numbers = 3, most_others = to_target.size() + to_start.size() +
                                                               to_end.size() + to_strand.size() +
                                                               to_mismatches.size() + 3;
  static void name_target(std::string& out, std::string_view name) {
    append_json_string(out, name);
  }
  static void name_file(std::string& out, std::string_view name) {
    out += ",\"file_id\":";
    append_json_string(out, name);
  }
  static void describe(QueryColumns&) {}
  static char* put(char* at, const QueryColumns&, const TargetColumns& target, const Place& place) {
    at = put_text(at, to_target);
    at = put_text(at, target.name);
    at = put_text(at, target.file);
    at = put_text(at, to_start);
    at = put_number(at, place.start);
    at = put_text(at, to_end);
    at = put_number(at, place.end);
    at = put_text(at, to_strand);
    *at++ = place.strand;
    at = put_text(at, to_mismatches);
    at = put_number(at, place.mismatches);
    *at++ = '}';
    return at;
  }
};

/// Calls begin(i, number) before the hits of the chunk's i-th query, of which `number`
/// are in earlier chunks; before_hit(at, number) before each; end(i, number) behind them.
template <class Format, class Begin, class BeforeHit, class End>
void put_hits(LineWriter& lines, const RecordBatch& queries, const HitChunk& chunk,
              const RecordsView& targets, const SegmentsView& segments,
              const MismatchText* mismatched, bool with_files, const Begin& begin,
              const BeforeHit& before_hit, const End& end) {
  Cigars cigars(mismatched);
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
      query.tail.clear();
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
        target.file.clear();
        if (with_files) {
          const std::uint64_t file = targets.files.file_of(target.number);
          Format::name_file(target.file, targets.files.name(file));
        }
      }
      const PlaceParts parts = finder.parts(hit.position(), query.length);
      const char strand = hit.is_reverse() ? '-' : '+';
      const auto put = [&](const Place& place) {
        char* at = lines.begin(query.name.size() + query.text.size() + query.tail.size() +
                               target.name.size() + target.length.size() + target.file.size() +
                               place.cigar.size() + most_beside_strings<Format>);
        at = before_hit(at, number);
        lines.end(Format::put(at, query, target, place));
      };
      const auto cigar = [&](std::uint64_t from, std::uint64_t to) -> std::string_view {
        if constexpr (!Format::has_cigar) return {};
        return cigars.of(hit, queries.sequence(q), parts, from, to);
      };
      if (!Format::splits || parts.rest == 0) {
        put({start, start + query.length, strand, hit.mismatches(), 0, cigar(0, query.length)});
        continue;
      }
      // Where lines tell how a place is aligned, each has the mismatches of its part.
      const auto mismatches = [&] {
        return Format::has_cigar ? cigars.mismatches() : hit.mismatches();
      };
      const std::string_view left = cigar(0, parts.size);
      put({start, start + parts.size, strand, mismatches(), hit.is_reverse() ? parts.rest : 0,
           left});
      const std::string_view right = cigar(parts.size, query.length);
      put({0, parts.rest, strand, mismatches(), hit.is_reverse() ? 0 : parts.size, right});
    }
    end(i, number);
  }
}

template <class Format>
void put_lines(LineWriter& lines, const RecordBatch& queries, const HitChunk& chunk,
               const RecordsView& targets, const SegmentsView& segments,
               const MismatchText* mismatched, bool with_files) {
  const auto nothing = [](std::size_t, std::uint64_t) {};
  put_hits<Format>(
      lines, queries, chunk, targets, segments, mismatched, with_files, nothing,
      [](char* at, std::uint64_t) { return at; }, nothing);
}

void put_json(LineWriter& lines, const RecordBatch& queries, const HitChunk& chunk,
              const RecordsView& targets, const SegmentsView& segments, bool with_files) {
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
  put_hits<JsonHits>(lines, queries, chunk, targets, segments, nullptr, with_files, open, separate,
                     close);
}

/// Characters of the columns of put_counts() beside the name, and of the end of the line, at most.
constexpr std::size_t most_of_counts = 4 * (most_digits + 1) + 1;

/// The columns that every line of counts begins with.
char* put_counts(char* at, std::string_view name, std::uint64_t length,
                 const StrandCounts& counts) {
  at = put_text(at, name);
  for (const std::uint64_t value : {length, counts.total(), counts.forward, counts.reverse}) {
    *at++ = '\t';
    at = put_number(at, value);
  }
  return at;
}

}  // namespace

void append_counts(TextPieces& pieces, const RecordBatch& queries,
                   const std::vector<StrandCounts>& counts) {
  LineWriter lines(pieces);
  QueryNames names(queries);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::string_view name = names[i];
    char* at = lines.begin(name.size() + most_of_counts);
    at = put_counts(at, name, queries.length(i), counts[i]);
    *at++ = '\n';
    lines.end(at);
  }
  lines.flush();
}

std::string mismatch_count_header(std::uint32_t mismatches) {
  std::string header = count_header;
  header.pop_back();
  for (std::uint32_t m = 0; m <= mismatches; ++m)
    header += "\tcount_" + std::to_string(m);
  return header + '\n';
}

void append_mismatch_counts(TextPieces& pieces, const RecordBatch& queries,
                            const MismatchCounts& counts) {
  LineWriter lines(pieces);
  QueryNames names(queries);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::string_view name = names[i];
    char* at = lines.begin(name.size() + most_of_counts + counts.classes() * (most_digits + 1));
    at = put_counts(at, name, queries.length(i), counts.total(i));
    for (std::uint32_t m = 0; m < counts.classes(); ++m) {
      *at++ = '\t';
      at = put_number(at, counts.at(i, m));
    }
    *at++ = '\n';
    lines.end(at);
  }
  lines.flush();
}

void append_hits(TextPieces& pieces, const RecordBatch& queries, const HitChunk& chunk,
                 const RecordsView& targets, const SegmentsView& segments, LocateFormat format,
                 const MismatchText* mismatched, bool with_files) {
  LineWriter lines(pieces);
  switch (format) {
    case LocateFormat::tsv:
      put_lines<TsvLines>(lines, queries, chunk, targets, segments, mismatched, with_files);
      break;
    case LocateFormat::bed:
      put_lines<BedLines>(lines, queries, chunk, targets, segments, mismatched, with_files);
      break;
    case LocateFormat::paf:
      put_lines<PafLines>(lines, queries, chunk, targets, segments, mismatched, with_files);
      break;
    case LocateFormat::jsonl:
      put_json(lines, queries, chunk, targets, segments, with_files);
      break;
    case LocateFormat::sam:
    case LocateFormat::bam:
      break;  // Alignments writes them
    case LocateFormat::bedgraph:
      break;  // of all hits together
  }
  lines.flush();
}

}  // namespace gsx

#include "output/lines/query_report.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "output/lines/line_writer.hpp"
#include "output/lines/paf_line.hpp"
#include "output/lines/query_names.hpp"
#include "output/lines/shown_targets.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// Writes the CIGARs of hits, of = and X, in the order of the target.
class Cigars {
 public:
  /// That of symbols [begin, end) of a hit with these mismatches, as MismatchPlaces has them. Valid
  /// until the next call.
  std::string_view of(std::span<const std::uint64_t> mismatches, std::uint64_t begin,
                      std::uint64_t end) {
    cigar_.clear();
    mismatches_ = 0;
    std::uint64_t differing = 0;  // symbols of the run of mismatches that ends at `begin`
    for (const std::uint64_t place : mismatches) {
      if (place < begin || place >= end) continue;
      if (place != begin) {
        append_run(differing, 'X');
        append_run(place - begin, '=');
        differing = 0;
      }
      ++differing;
      ++mismatches_;
      begin = place + 1;
    }
    append_run(differing, 'X');
    append_run(end - begin, '=');
    return cigar_;
  }
  /// The mismatches of the last one.
  std::uint32_t mismatches() const { return mismatches_; }

 private:
  void append_run(std::uint64_t symbols, char kind) {
    if (symbols == 0) return;
    append_number(cigar_, symbols);
    cigar_ += kind;
  }

  std::string cigar_;
  std::uint32_t mismatches_ = 0;
};

using HitBed = BedLine<HitColumns, "query_id", "mismatches">;
template <class... Tag>
using HitPaf = PafLine<HitRow, "\n", Field<"\t255\tNM:i:", Column<"NM", &HitRow::mismatches>>,
                       Field<"\tnh:i:", Column<"nh", &HitRow::total>>,
                       Field<"\tcg:Z:", Column<"cg", &HitRow::cigar>>, Tag...>;
template <class List>
using HitGff3 = Gff3Line<List, "match", "query_id">;

/// What opens the line of a query in JSON, and a hit in it.
using JsonQueryHits = JsonObject<HitQueryColumns, ",\"hits\":[">;
template <Literal... names>
using JsonHit = JsonObject<Pick<WithFile<HitColumns>, names...>, "}">;

/// How the lines of a format have hits.
enum class HitShape : std::uint8_t {
  lines,
  parts,    ///< a place that spans an origin is two lines, since none may leave its target
  aligned,  ///< the same with CIGARs; each line has the mismatches of its part
  objects,  ///< inside the line of their query
};

struct HitSource {
  const RecordBatch& queries;
  const HitChunk& chunk;
  const RecordsView& targets;
  const SegmentsView& segments;
  const MismatchPlaces* mismatches;
};

template <class Line, HitShape shape>
void put_hits(TextPieces& pieces, const HitSource& from, ResultFormat format, bool with_files) {
  constexpr bool in_objects = shape == HitShape::objects, is_aligned = shape == HitShape::aligned;
  const HitChunk& chunk = from.chunk;
  LineWriter lines(pieces);
  QueryNames names(from.queries, format);
  ShownTargets targets(from.targets, from.segments, format, with_files);
  Cigars cigars;
  constexpr std::span<const std::uint64_t> no_mismatches;
  HitRow row;
  std::uint64_t number = chunk.before;  // number of the next hit among those of its query
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i, number = 0) {
    if (!in_objects && next == chunk.ends[i]) continue;
    const std::size_t q = chunk.first + i;
    row.name = names[q];
    row.query_length = from.queries.length(q);
    row.total = chunk.counts[i].total();
    row.reported = chunk.reported(i);
    if (in_objects && number == 0) JsonQueryHits::write(lines, row);
    for (; next < chunk.ends[i]; ++next, ++number) {
      const Hit hit = chunk.hits[next];
      targets.find(hit.position(), row);
      row.end = row.start + row.query_length;
      row.strand = hit.is_reverse() ? '-' : '+';
      row.mismatches = hit.mismatches();
      if (in_objects && number > 0) lines.end(put_text(lines.begin(1), ","));
      if constexpr (shape == HitShape::parts || is_aligned) {
        const PlaceParts parts = targets.parts(hit.position(), row.query_length);
        const auto put_part = [&](std::uint64_t begin, std::uint64_t end) {
          row.query_start = hit.is_reverse() ? row.query_length - end : begin;
          if (is_aligned) {
            const bool differs = hit.mismatches() != 0;
            row.cigar = {
                cigars.of(differs ? from.mismatches->of(next) : no_mismatches, begin, end)};
            row.mismatches = cigars.mismatches();
          }
          Line::write(lines, row);
        };
        row.end = row.start + parts.size;
        put_part(0, parts.size);
        if (parts.rest == 0) continue;
        row.start = 0;
        row.end = parts.rest;
        put_part(parts.size, row.query_length);
      } else {
        Line::write(lines, row);
      }
    }
    if (in_objects && number == row.reported) lines.end(put_text(lines.begin(3), "]}\n"));
  }
  lines.flush();
}

}  // namespace

void append_counts(TextPieces& pieces, const RecordBatch& queries,
                   const std::vector<StrandCounts>& counts) {
  LineWriter lines(pieces);
  QueryNames names(queries);
  for (std::size_t i = 0; i < queries.size(); ++i)
    TabbedLine<CountColumns>::write(lines, CountRow{names[i], queries.length(i), {}, counts[i]});
  lines.flush();
}

std::string mismatch_count_header(std::uint32_t mismatches) {
  std::string header = header_of<CountColumns, "">;
  for (std::uint32_t m = 0; m <= mismatches; ++m)
    header += "\tcount_" + std::to_string(m);
  return header + '\n';
}

void append_mismatch_counts(TextPieces& pieces, const RecordBatch& queries,
                            const MismatchCounts& counts) {
  using Line = TabbedLine<CountColumns, "">;
  LineWriter lines(pieces);
  QueryNames names(queries);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const CountRow row{names[i], queries.length(i), {}, counts.total(i)};
    char* at = lines.begin(Line::most(row) + counts.classes() * (most_digits + 1) + 1);
    at = Line::put(at, row);
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
                 const RecordsView& targets, const SegmentsView& segments, ResultFormat format,
                 const MismatchPlaces* mismatches, bool with_files) {
  const HitSource from{queries, chunk, targets, segments, mismatches};
  const auto put = [&]<HitShape shape, class Line, class LineWithFile = Line>() {
    if (with_files) return put_hits<LineWithFile, shape>(pieces, from, format, true);
    put_hits<Line, shape>(pieces, from, format, false);
  };
  switch (format) {
    case ResultFormat::tsv:
      return put.
      operator()<HitShape::lines, TabbedLine<HitColumns>, TabbedLine<WithFile<HitColumns>>>();
    case ResultFormat::bed:
      return put.operator()<HitShape::parts, HitBed>();
    case ResultFormat::paf:
      return put.operator()<HitShape::aligned, HitPaf<>, HitPaf<PafFile>>();
    case ResultFormat::gff3:
      return put.operator()<HitShape::lines, HitGff3<HitColumns>, HitGff3<WithFile<HitColumns>>>();
    case ResultFormat::jsonl:
      return put.
      operator()<HitShape::objects, JsonHit<"target_id", "start", "end", "strand", "mismatches">,
                 JsonHit<"target_id", "file_id", "start", "end", "strand", "mismatches">>();
    default:
      break;  // Alignments writes SAM and BAM; bedGraph is of all hits together
  }
}

}  // namespace gsx

#include "commands/locate_lines.hpp"

#include "base/error.hpp"
#include "inputs/by_file_option.hpp"
#include "output/lines/gff3.hpp"
#include "output/lines/query_report.hpp"
#include "output/tracks/track_records.hpp"
#include "outputs/track_outputs.hpp"

namespace gsx::app {

void LocateLines::require_possible() const {
  if (sorted && format == ResultFormat::jsonl)
    throw UsageError("--sort position needs one line per hit, but --jsonl writes one per query");
  require_file_names(*this);
}

std::string LocateLines::header(const RecordsView& records,
                                std::span<const std::uint64_t> circular) const {
  if (sorted && is_track(format))
    warn_of_shared_name(track_records(records), format == ResultFormat::bed ? "BED" : "GFF3");
  if (format == ResultFormat::gff3) return sorted ? gff3_version : gff3_header(records, circular);
  if (format != ResultFormat::tsv) return "";
  return by_file ? locate_header_with_files : locate_header;
}

void LocateLines::sort_header(const RecordsView& records, const SegmentsView& segments,
                              std::span<const std::uint64_t> circular,
                              LineSorter::Collector& lines) const {
  if (format != ResultFormat::gff3) return;
  for (const Gff3Region& region : gff3_regions(records, circular)) {
    const std::uint64_t segment = records.infos[region.record].first_segment;
    lines.add({segments.starts[segment] << 1, 0}, region.line);
  }
}

}  // namespace gsx::app

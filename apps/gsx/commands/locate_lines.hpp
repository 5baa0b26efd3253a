// The lines of locate, made of an index or of partial results.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bytes/line_sorter.hpp"
#include "output/lines/result_format.hpp"
#include "text/text.hpp"

namespace gsx::app {

/// How hits are written: a line for each, or in JSON for each query.
struct LocateLines : PlaceLineOptions {
  /// Throws UsageError if the format has no such order, or no place for the names of files.
  void require_possible() const;
  /// What stands before the lines. Warns of records that readers of sorted lines take for one.
  std::string header(const RecordsView& records, std::span<const std::uint64_t> circular) const;
  /// Gives the sorter the lines that belong to the header and lie among those of the hits.
  void sort_header(const RecordsView& records, const SegmentsView& segments,
                   std::span<const std::uint64_t> circular, LineSorter::Collector& lines) const;
};

}  // namespace gsx::app

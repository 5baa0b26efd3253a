// What comes before the lines of results.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "output/lines/gff3.hpp"
#include "output/lines/line_layout.hpp"
#include "output/lines/place_row.hpp"
#include "output/lines/result_format.hpp"

namespace gsx {

/// The names of the columns in TSV, gff3_header() in GFF3; nothing in other formats. Of lines that
/// are sorted, those of circular records are sorted with them (PlaceSorter::add_header()).
/// `ListWithFiles` are the columns of lines that name files.
template <class List, class ListWithFiles = WithFile<List>>
std::string result_header(const PlaceLineOptions& options, const RecordsView& records,
                          std::span<const std::uint64_t> circular = {}) {
  if (options.format == ResultFormat::gff3)
    return options.sorted ? gff3_version : gff3_header(records, circular);
  if (options.format != ResultFormat::tsv) return "";
  return options.by_file ? header_of<ListWithFiles> : header_of<List>;
}

}  // namespace gsx

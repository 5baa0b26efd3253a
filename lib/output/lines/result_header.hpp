// What comes before the lines of results.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "output/lines/gff3.hpp"
#include "output/lines/line_layout.hpp"
#include "output/lines/result_format.hpp"

namespace gsx {

/// The names of the columns in TSV, gff3_header() in GFF3; nothing in other formats. Of lines that
/// are sorted, those of circular records are sorted with them (PlaceSorter::add_header()).
template <class List>
std::string result_header(ResultFormat format, const RecordsView& records,
                          std::span<const std::uint64_t> circular = {}, bool sorted = false) {
  if (format == ResultFormat::gff3) return sorted ? gff3_version : gff3_header(records, circular);
  return format == ResultFormat::tsv ? header_of<List> : "";
}

}  // namespace gsx

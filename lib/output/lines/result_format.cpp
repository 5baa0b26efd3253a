#include "output/lines/result_format.hpp"

#include <algorithm>
#include <iterator>

#include "output/lines/gff3.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// In the order of the formats.
constexpr std::string_view names[result_formats] = {
    "tsv",      "bed",   "paf",   "jsonl",   "gff3",   "sam",          "bam",
    "bedgraph", "fasta", "fastq", "fastmap", "mummer", "cas-offinder", "part"};
static_assert(static_cast<std::size_t>(ResultFormat::part) == result_formats - 1);

}  // namespace

std::string name_of(ResultFormat format) {
  return std::string(names[static_cast<std::size_t>(format)]);
}

ResultFormat format_named(std::string_view name) {
  const auto* const found = std::ranges::find(names, name);
  return found == std::end(names) ? ResultFormat::tsv : static_cast<ResultFormat>(found - names);
}

void append_query(std::string& out, std::string_view name, ResultFormat format) {
  if (format == ResultFormat::jsonl) return append_json_string(out, name);
  if (format == ResultFormat::gff3) return append_gff3_value(out, name);
  append_name(out, name);
}

void append_target(std::string& out, std::string_view name, ResultFormat format) {
  if (format == ResultFormat::bed) return append_bed_target(out, name);
  if (format == ResultFormat::gff3) return append_gff3_target(out, name);
  append_query(out, name, format);
}

}  // namespace gsx

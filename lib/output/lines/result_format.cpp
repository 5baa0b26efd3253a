#include "output/lines/result_format.hpp"

#include <utility>

#include "output/lines/gff3.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

constexpr std::pair<std::string_view, ResultFormat> formats[result_formats] = {
    {"tsv", ResultFormat::tsv},       {"bed", ResultFormat::bed},
    {"paf", ResultFormat::paf},       {"jsonl", ResultFormat::jsonl},
    {"gff3", ResultFormat::gff3},     {"sam", ResultFormat::sam},
    {"bam", ResultFormat::bam},       {"bedgraph", ResultFormat::bedgraph},
    {"fasta", ResultFormat::fasta},   {"fastmap", ResultFormat::fastmap},
    {"mummer", ResultFormat::mummer}, {"cas-offinder", ResultFormat::cas_offinder},
    {"part", ResultFormat::part}};

constexpr bool are_in_order() {
  for (std::size_t i = 0; i < result_formats; ++i)
    if (static_cast<std::size_t>(formats[i].second) != i) return false;
  return static_cast<std::size_t>(ResultFormat::part) == result_formats - 1;
}
static_assert(are_in_order(), "name_of() takes the name of a format by its number");

}  // namespace

std::string name_of(ResultFormat format) {
  return std::string(formats[static_cast<std::size_t>(format)].first);
}

ResultFormat format_named(std::string_view name) {
  for (const auto& [known, format] : formats) {
    if (name == known) return format;
  }
  return ResultFormat::tsv;
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

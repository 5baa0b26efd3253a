// The formats of results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gsx {

/// Each kind of result has some of them.
enum class ResultFormat : std::uint8_t {
  tsv,
  bed,
  paf,
  jsonl,
  gff3,
  sam,
  bam,
  bedgraph,  ///< of all hits together
  fasta,
  fastq,         ///< reads with corrected symbols
  fastmap,       ///< as `bwa fastmap` prints matches
  mummer,        ///< as `mummer -b -n -c -F` prints pairs of matches
  cas_offinder,  ///< the columns of Cas-OFFinder 2, or of cas-offinder-bulge
  part,          ///< what was found, before it is formatted, for gsx merge
};

inline constexpr std::size_t result_formats = 14;

/// The name of a format, as options have it.
std::string name_of(ResultFormat format);
/// The format of that name; TSV if there is none.
ResultFormat format_named(std::string_view name);

/// Whether genome browsers show it as a track, and tabix takes it in the order of places.
constexpr bool is_track(ResultFormat format) {
  return format == ResultFormat::bed || format == ResultFormat::gff3;
}
/// Whether it has a place for the name of a target's input file.
constexpr bool names_files(ResultFormat format) {
  return format == ResultFormat::tsv || format == ResultFormat::paf ||
         format == ResultFormat::jsonl || format == ResultFormat::gff3;
}

/// How the lines of places are written.
struct PlaceLineOptions {
  ResultFormat format = ResultFormat::tsv;
  bool sorted = false;   ///< whether they are in the order of places, and so need keys
  bool by_file = false;  ///< whether they name the input files of targets
};

/// Appends the name of what was searched, such as a query, as a format writes it.
void append_query(std::string& out, std::string_view name, ResultFormat format);
/// Appends the name of a record in which something lies, as a format writes it.
void append_target(std::string& out, std::string_view name, ResultFormat format);

}  // namespace gsx

#include "options/format_suffix.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"

namespace gsx::app {
namespace {

/// Whether a word is one of `list`.
bool is_among(std::string_view word, std::string_view list) {
  constexpr std::string_view between = ", ";
  while (!list.empty()) {
    if (list.substr(0, list.find_first_of(between)) == word) return true;
    list.remove_prefix(std::min(list.find_first_of(between), list.size() - 1) + 1);
  }
  return false;
}

[[noreturn]] void refuse_suffix(const std::string& suffix, const char* command, const char* formats,
                                const char* option) {
  const bool one = std::string_view(formats).find(' ') == std::string_view::npos;
  throw UsageError(fmt::format("{}: {} does not write the format {}; it writes {}{}", option,
                               command, suffix, formats,
                               one ? "" : ": name one by --format or the suffix"));
}

}  // namespace

std::string format_suffix(std::string output) {
  std::transform(output.begin(), output.end(), output.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const std::string_view compressed : {".gz", ".bgz"}) {
    if (output.ends_with(compressed)) {
      output.resize(output.size() - compressed.size());
      break;
    }
  }
  const std::size_t dot = output.rfind('.');
  const std::string suffix = dot == std::string::npos ? "" : output.substr(dot + 1);
  if (suffix == "bg" || suffix == "bdg") return "bedgraph";
  if (suffix == "gff") return "gff3";
  return suffix == "bw" ? "bigwig" : suffix;
}

bool names_other_format(std::string_view suffix) {
  constexpr std::string_view others[] = {
      "json", "csv",   "sam", "bam", "cram", "gff2",     "gff3",   "gtf", "vcf", "bed",
      "paf",  "jsonl", "wig", "png", "jpg",  "bedgraph", "bigwig", "pdf", "part"};
  return std::ranges::find(others, suffix) != std::end(others);
}

void refuse_other_format(const std::string& suffix, const char* command, const char* formats,
                         const char* option) {
  if (!names_other_format(suffix) || is_among(suffix, formats)) return;
  refuse_suffix(suffix, command, formats, option);
}

void refuse_sequence_format(const std::string& suffix, const char* command, const char* formats) {
  constexpr std::string_view sequences[] = {"fa", "fasta", "fna", "fq", "fastq", "2bit", "jsonl"};
  if (std::ranges::find(sequences, suffix) != std::end(sequences))
    refuse_suffix(suffix, command, formats, "-o");
}

std::string asked_format(const std::string& flag, const std::string& format) {
  if (!flag.empty() && !format.empty() && flag != format)
    throw UsageError("--" + flag + " and --format " + format + " disagree; give one of them");
  return flag.empty() ? format : flag;
}

}  // namespace gsx::app

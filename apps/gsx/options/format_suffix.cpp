#include "options/format_suffix.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx::app {
namespace {

/// Whether a word is one of `list`: "tsv, bed or paf".
bool is_among(std::string_view word, std::string_view list) {
  if (word.empty() || word == "or") return false;
  constexpr std::string_view between = ", ";
  while (!list.empty()) {
    if (list.substr(0, list.find_first_of(between)) == word) return true;
    list.remove_prefix(std::min(list.find_first_of(between), list.size() - 1) + 1);
  }
  return false;
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
  constexpr std::pair<std::string_view, const char*> others[] = {
      {"bg", "bedgraph"}, {"bdg", "bedgraph"}, {"gff", "gff3"},  {"bw", "bigwig"},
      {"fa", "fasta"},    {"fna", "fasta"},    {"ffn", "fasta"}, {"faa", "fasta"},
      {"fq", "fastq"},    {"jpeg", "jpg"},     {"htm", "html"},  {"ndjson", "jsonl"}};
  const auto* const other = std::ranges::find(others, std::string_view(suffix),
                                              [](const auto& one) { return one.first; });
  return other == std::end(others) ? suffix : other->second;
}

bool is_known_format(std::string_view format) {
  constexpr std::string_view known[] = {
      "fasta", "fastq", "2bit", "sam", "bam",      "cram",   "bed", "gff2", "gff3", "gtf",
      "vcf",   "bcf",   "paf",  "wig", "bedgraph", "bigwig", "tsv", "csv",  "json", "jsonl",
      "html",  "svg",   "png",  "jpg", "pdf",      "part",   "gsx", "lz77", "fmd",  "bre"};
  return std::ranges::find(known, format) != std::end(known);
}

std::string output_format(const std::string& output, const OutputFormats& formats,
                          RunFiles& files) {
  std::string suffix = format_suffix(output);
  if (is_among(suffix, formats.written)) return suffix;
  if (!is_known_format(suffix)) return "";
  const bool several = formats.written.find(' ') != std::string::npos;
  const std::string choice = !formats.choice.empty() ? formats.choice
                             : several               ? "name one by --format or the suffix"
                                                     : "give FILE another suffix, or none";
  const std::string why =
      fmt::format("{} '{}': {} does not write the format {}; it writes {}: {}", formats.option,
                  printable(output), formats.command, suffix, formats.written, choice);
  std::error_code error;
  if (formats.is_open || !std::filesystem::exists(output, error)) throw UsageError(why);
  files.refuse(output, why);
  return "";
}

std::string asked_format(const std::string& flag, const std::string& format) {
  if (!flag.empty() && !format.empty() && flag != format)
    throw UsageError("--" + flag + " and --format " + format + " disagree; give one of them");
  return flag.empty() ? format : flag;
}

}  // namespace gsx::app

#include "commands/amplicon_options.hpp"

#include <CLI/App.hpp>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "inputs/by_file_option.hpp"
#include "inputs/hit_regions.hpp"
#include "options/circular_option.hpp"
#include "options/option_kinds.hpp"
#include "options/sort_option.hpp"
#include "records/lists/list_columns.hpp"

namespace gsx::app {
namespace {

/// The longest product that can be asked for.
constexpr std::uint64_t longest_product = std::uint64_t{1} << 40;

void parse_end(const std::string& text, PrimerRules& rules) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw UsageError("'" + shown_name(text) + "' is not W:M, such as 5:0");
  rules.end_bases =
      static_cast<std::uint32_t>(parse_number(text.substr(0, colon), {1, std::uint64_t{1} << 16}));
  rules.end_mismatches =
      static_cast<std::uint32_t>(parse_number(text.substr(colon + 1), {0, most_mismatches}));
}

/// The pair of a -p, which is as a line of a list.
PrimerPair parse_pair(const std::string& text) {
  ListFields fields;
  for (const char separator : {'\t', ',', ';', ' '}) {
    fields.split(text, separator);
    if (fields.size() == 2) return {text, std::string(fields[0]), std::string(fields[1])};
    if (fields.size() == 3)
      return {std::string(fields[0]), std::string(fields[1]), std::string(fields[2])};
  }
  throw UsageError("-p '" + shown_name(text) +
                   "' is not FORWARD,REVERSE or NAME,FORWARD,REVERSE; for pairs in a file, give "
                   "-f FILE");
}

}  // namespace

std::vector<PrimerPair> AmpliconOptions::pairs() const {
  std::vector<PrimerPair> all;
  for (const std::string& pattern : patterns) {
    all.push_back(parse_pair(pattern));
    if (all.back().forward.empty() || all.back().reverse.empty())
      throw UsageError("-p '" + shown_name(pattern) + "': a primer is empty; give FORWARD,REVERSE");
    if (const auto why = why_unasked(all.back(), rules))
      throw UsageError("-p '" + shown_name(pattern) + "': it " + *why);
  }
  return all;
}

ResultFormat AmpliconOptions::product_format(RunFiles& run) const {
  return format.choose(output, run);
}

void AmpliconOptions::check(RunFiles& run) const {
  const ResultFormat written = product_format(run);  // refuses what disagrees
  if (sorted() && written == ResultFormat::fasta)
    throw UsageError("--sort position orders lines, and a product in FASTA has several");
  require_file_names(lines_in(written));
  static_cast<void>(pairs());
  if (shortest > longest) {
    throw UsageError("--min " + std::to_string(shortest) + " is more than --max " +
                     std::to_string(longest) + ": no product can be so long");
  }
}

void add_amplicon_options(CLI::App& command, AmpliconOptions& options) {
  add_texts(command, "PRIMERS", "FILE", options.files,
            "Pairs of primers, one per line: NAME<tab>FORWARD<tab>REVERSE, both 5' to 3' as "
            "ordered, CSV, or a table with a header; or one primer per line or record of FASTA, "
            "NAME_F and NAME_R. Plain or compressed; - reads standard input. The first FILE may be "
            "the index");
  add_dna_list_options(command, options, "PAIR",
                       "Search for PAIR: FORWARD,REVERSE, which is also its own name, or "
                       "NAME,FORWARD,REVERSE; repeat -p for more pairs");
  begin_group(command, "Search");
  CLI::Option* const mismatches =
      add_number(command, "-k,--mismatches", options.rules.mismatches, {0, most_mismatches},
                 "Let each primer match with at most N mismatches");
  add_parsed(command, "--3prime", "W:M",
             "Allow at most M of these mismatches in the last W bases of a primer, its 3' end",
             [&options](const std::string& text) { parse_end(text, options.rules); })
      ->needs(mismatches);
  add_circular_option(command, options.circular, "products, and places of primers,");
  add_regions_option(command, options.regions, "products");
  add_number(command, "--min", options.shortest, {0, longest_product},
             "Find products of at least N bases, primers included");
  add_number(command, "--max", options.longest, {1, longest_product},
             "Find products of at most N bases, primers included");
  begin_group(command, "Output");
  add_output(command, options.output);
  options.format.add(
      command, {{ResultFormat::tsv},
                {ResultFormat::bed,
                 "Write BED6 with the pair as name and the mismatches of both primers as score"},
                {ResultFormat::jsonl, "Write JSON lines, one object per product"},
                {ResultFormat::gff3},
                {ResultFormat::fasta, "Write the sequences of the products"}});
  CLI::Option* const inner =
      add_flag(command, "--inner", options.extent.inner,
               "Write what lies between the primers, without them: its start, end, length and "
               "sequence");
  add_number(command, "--flank", options.extent.flank, {0, longest_product},
             "Write products with N bases on each side, as far as the record goes: their start, "
             "end, length and sequence")
      ->excludes(inner);
  add_number(command, "--max-hits", options.max_hits, {},
             "Write at most N products per pair, those with the fewest mismatches; 0 writes all. "
             "n_total stays the number of all products");
  add_sort_option(command, options.sort, "products", "pair, as in the input", "; not for FASTA");
  add_by_file_option(command, options.by_file, "file_id in TSV, JSON lines and GFF3");
  add_path(command, "--summary", options.summary,
           "Write the numbers of pairs and products to FILE, as JSON");
  add_no_header(command, options.no_header);
  add_memory_limit(command, options.memory_limit,
                   "Allocate at most SIZE; pages of the index file and buffers of a GPU do not "
                   "count (default: 3/4 of the free memory)");
  add_device_options(command, options.device);
}

}  // namespace gsx::app

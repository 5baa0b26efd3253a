#include "commands/amplicon_options.hpp"

#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "inputs/index_choice.hpp"
#include "options/circular_option.hpp"
#include "options/format_suffix.hpp"
#include "options/option_kinds.hpp"

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

constexpr std::pair<std::string_view, ProductFormat> formats[] = {{"tsv", ProductFormat::tsv},
                                                                  {"bed", ProductFormat::bed},
                                                                  {"fasta", ProductFormat::fasta},
                                                                  {"fa", ProductFormat::fasta},
                                                                  {"fna", ProductFormat::fasta}};

/// The format of that name or suffix; TSV if there is none.
ProductFormat format_named(std::string_view name) {
  for (const auto& [known, format] : formats) {
    if (name == known) return format;
  }
  return ProductFormat::tsv;
}

}  // namespace

ProductFormat AmpliconOptions::product_format() const {
  const std::string flag = bed ? "bed" : fasta ? "fasta" : "";
  return format_named(chosen_format(flag, format, output, "amplicon", "tsv, bed or fasta"));
}

void AmpliconOptions::check() const {
  static_cast<void>(product_format());  // refuses what disagrees
  if (least > most) {
    throw UsageError("--min " + std::to_string(least) + " is more than --max " +
                     std::to_string(most) + ": no product can be so long");
  }
}

void add_amplicon_options(CLI::App& command, AmpliconOptions& options) {
  add_texts(command, "PRIMERS", "FILE", options.primers,
            "Pairs of primers, one per line: NAME<tab>FORWARD<tab>REVERSE, both 5' to 3' as "
            "ordered, CSV, or a table with a header; or one primer per line or record of FASTA, "
            "NAME_F and NAME_R. Plain or compressed; - reads standard input. The first FILE may be "
            "the index");
  add_index_option(command, options.index);
  CLI::Option* const reference =
      add_texts(command, "-r,--reference", "FASTA", options.references,
                "Search FASTA itself instead of an index; repeat -r for more files")
          ->group("Input");
  add_reference_options(command, options.reading, reference);
  CLI::Option* const mismatches =
      add_number(command, "-k,--mismatches", options.rules.mismatches, {0, most_mismatches},
                 "Let each primer match with at most K mismatches")
          ->group("Search");
  add_parsed(command, "--3prime", "W:M",
             "Allow at most M of these mismatches in the last W bases of a primer, its 3' end",
             [&options](const std::string& text) { parse_end(text, options.rules); })
      ->group("Search")
      ->needs(mismatches);
  add_circular_option(command, options.circular, "products, and places of primers,");
  add_number(command, "--min", options.least, {0, longest_product},
             "Find products of at least N bases, primers included")
      ->group("Search");
  add_number(command, "--max", options.most, {1, longest_product},
             "Find products of at most N bases, primers included")
      ->group("Search");
  add_path(command, "-o,--output", options.output,
           "Write to FILE instead of standard output, as BGZF if the name ends in .gz or .bgz")
      ->group("Output");
  add_choice(command, "--format", options.format, {"tsv", "bed", "fasta"},
             "Write this format (default: the one that the suffix of -o names, also before .gz, "
             "and otherwise tsv)")
      ->group("Output");
  CLI::Option* const bed =
      command
          .add_flag("--bed", options.bed,
                    "Write BED6 with the pair as name and the mismatches of both primers as "
                    "score; short for --format bed")
          ->group("Output");
  command
      .add_flag("--fasta", options.fasta,
                "Write the sequences of the products; short for "
                "--format fasta")
      ->group("Output")
      ->excludes(bed);
  CLI::Option* const inner =
      command
          .add_flag("--inner", options.extent.inner,
                    "Write what lies between the primers, without them: its start, end, length and "
                    "sequence")
          ->group("Output");
  add_number(command, "--flank", options.extent.flank, {0, longest_product},
             "Write products with N bases on each side, as far as the record goes: their start, "
             "end, length and sequence")
      ->group("Output")
      ->excludes(inner);
  add_number(command, "--max-hits", options.max_hits, {},
             "Write at most N products per pair, those with the fewest mismatches; 0 writes all. "
             "n_total stays the number of all products")
      ->group("Output");
  command
      .add_flag("--no-header", options.no_header,
                "Leave out the header line, if the format has one")
      ->group("Output");
  add_memory_limit(command, options.memory_limit,
                   "Allocate at most SIZE; pages of the index file and buffers of a GPU do not "
                   "count (default: 3/4 of the free memory)");
  add_device_options(command, options.device);
}

}  // namespace gsx::app

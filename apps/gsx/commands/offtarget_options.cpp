#include "commands/offtarget_options.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "device/registry.hpp"
#include "inputs/by_file_option.hpp"
#include "inputs/hit_regions.hpp"
#include "options/circular_option.hpp"
#include "options/option_kinds.hpp"
#include "options/sort_option.hpp"
#include "search/sites/site_shape.hpp"

namespace gsx::app {
namespace {

StopAt parse_stop(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw UsageError("'" + shown_name(text) + "' is not I:N, such as 1:10");
  StopAt stop;
  stop.mismatches =
      static_cast<std::uint32_t>(parse_number(text.substr(0, colon), {0, most_mismatches}));
  stop.sites = parse_number(text.substr(colon + 1), {});
  return stop;
}

std::vector<std::string> nuclease_names() {
  std::vector<std::string> names;
  for (const Nuclease& known : nucleases())
    names.emplace_back(known.name);
  return names;
}

}  // namespace

std::vector<Pam> OfftargetOptions::pams() const {
  Pam wanted;
  for (const Nuclease& known : nucleases())
    if (known.name == nuclease)
      wanted = {std::string(known.pam), known.pam_first, known.guide_length};
  if (!pam.empty()) wanted.letters = as_dna(pam);
  if (!pam_side.empty()) wanted.before_guide = pam_side == "5";
  std::vector<Pam> all = {wanted};
  for (const std::string& other : other_pams)
    all.push_back({as_dna(other), wanted.before_guide, wanted.guide_length});
  return all;
}

std::uint32_t OfftargetOptions::length_of_guides() const {
  return guide_length.value_or(pams().front().guide_length);
}

GuideEnds OfftargetOptions::guide_ends() const {
  if (with_pam) return GuideEnds::pam;
  return without_pam ? GuideEnds::guide : GuideEnds::unknown;
}

ResultFormat OfftargetOptions::sites_format(RunFiles& run) const {
  return format.choose(sites, run, "--sites");
}

JsonMembers OfftargetOptions::as_json() const {
  std::vector<std::string> letters;
  for (const Pam& one : pams())
    letters.push_back(one.letters);
  return {{"pams", letters},
          {"pam_side", pams().front().before_guide ? "5" : "3"},
          {"guides", with_pam      ? "with_pam"
                     : without_pam ? "without_pam"
                                   : "auto"},
          {"all_sites", all_sites},
          {"guide_length", std::uint64_t{all_sites ? length_of_guides() : 0}},
          {"guides_in", guides_in},
          {"mismatches", std::uint64_t{mismatches}},
          {"strand", strand},
          {"dna_bulge", std::uint64_t{bulges.dna}},
          {"rna_bulge", std::uint64_t{bulges.rna}},
          {"stop_at", stop_at ? fmt::format("{}:{}", stop_at->mismatches, stop_at->sites) : ""},
          {"score", score}};
}

void OfftargetOptions::check(RunFiles& run) const {
  if (all_sites && !regions.empty() && guides_in.empty()) {
    throw UsageError(
        "-R keeps the sites within regions: the guides of regions are those of --all-sites "
        "--guides-in FILE. Give --guides-in, with -R or without");
  }
  devices_named(device.device);
  if (all_sites && !(patterns.empty() && lists.empty()))
    throw UsageError("--all-sites takes its guides from the genome; leave out -p and -f");
  if (all_sites && length_of_guides() <= mismatches) {
    throw UsageError("guides of " + std::to_string(length_of_guides()) +
                     " bases are not longer than the " + std::to_string(mismatches) +
                     " mismatches that are allowed");
  }
  if (!pam.empty() && !nuclease.empty())
    throw UsageError("--nuclease and --pam both name the PAM; give one of them");
  if (!circular.empty() && bulges.any()) {
    throw UsageError(
        "sites with a bulge are not sought across the origin of a circular record: search them "
        "without --circular");
  }
  if (sites.empty() && format.is_given())
    throw UsageError("the format is that of --sites, which names no file");
  require_file_names(lines_in(sites_format(run)));  // refuses what disagrees, too
  if (sites.empty() && max_hits != 0)
    throw UsageError("--max-hits limits the lines of --sites, which names no file");
  if (sites.empty() && sorted())
    throw UsageError("--sort orders the lines of --sites, which names no file");
  if (sites.empty() && by_file)
    throw UsageError("--by-file names files in the lines of --sites, which names no file");
  if (stop_at && stop_at->mismatches >= mismatches) {
    throw UsageError("--stop-at " + std::to_string(stop_at->mismatches) + ":N needs more than " +
                     std::to_string(stop_at->mismatches) + " mismatches (-k)");
  }
  const std::vector<Pam> wanted_pams = pams();
  const Pam& wanted = wanted_pams.front();
  check_pams(wanted_pams);
  for (const std::string& pattern : patterns) {
    const std::string guide = as_dna(pattern);
    const bool cut = with_pam && wanted.ends(guide);
    const auto why = why_unasked(cut ? wanted.cut_from(guide) : guide, {mismatches, true});
    if (why) throw UsageError("-p '" + shown_name(pattern) + "': it " + *why);
    if (guide.empty()) throw UsageError("-p is empty; name a guide");
  }
}

void add_offtarget_options(CLI::App& command, OfftargetOptions& options) {
  add_texts(
      command, "GUIDES", "FILE", options.files,
      "Guides, one per line: SEQUENCE or NAME<tab>SEQUENCE, CSV, or a table with a header; or as "
      "FASTA. Plain or compressed; - reads standard input. The first FILE may be the index");
  add_dna_list_options(command, options, "GUIDE",
                       "Search for GUIDE, which is also its own name; repeat -p for more guides");
  auto* with = add_flag(command, "--with-pam", options.with_pam,
                        "The guides hold the PAM: cut it off before searching");
  add_flag(command, "--without-pam", options.without_pam,
           "The guides do not hold the PAM, even if all of them seem to")
      ->excludes(with);
  auto* all =
      add_flag(command, "--all-sites", options.all_sites,
               "Take the guide of every site of the PAM in the genome, named "
               "TARGET:BEGIN-END(STRAND) after its place with the PAM, 0-based and half-open as "
               "in BED")
          ->excludes(with);
  add_parsed(command, "--guide-length", "N",
             "The length of the guides of --all-sites (default: 21 for SaCas9, 23 for Cas12a, 24 "
             "for NmCas9, otherwise 20)",
             [&options](const std::string& text) {
               options.guide_length = static_cast<std::uint32_t>(
                   parse_number(text, {SiteShape::least_guide, SiteShape::most_guide}));
             })
      ->needs(all);
  add_path(command, "--guides-in", options.guides_in,
           "Take only the guides of sites within the regions of FILE, one per line, as BED or "
           "as NAME:BEGIN-END, which counts from 1 and includes END; - reads standard input. "
           "Regions that overlap or touch count as one")
      ->needs(all);
  begin_group(command, "Search");
  add_choice(command, "--nuclease", options.nuclease, nuclease_names(),
             "Take the PAM of this nuclease: SpCas9 NGG (default), SpCas9-NG NG, SpRY NRN, SaCas9 "
             "NNGRRT, Cas12a TTTV on the 5' side, NmCas9 NNNNGATT");
  add_parsed(command, "--pam", "PAM", "Take this PAM, in IUPAC codes",
             [&options](const std::string& text) {
               check_pam(text);
               options.pam = text;
             });
  add_texts(command, "--alt-pam", "PAM", options.other_pams,
            "Find sites of this PAM, too; it has the length of the first and excludes it. Repeat "
            "--alt-pam for more. mit scores a site of any PAM alike, so that it lowers the "
            "specificity as much; a table of --score may weigh PAMs");
  add_choice(command, "--pam-side", options.pam_side, {"3", "5"},
             "The side of the guide where the PAM lies (default: that of the nuclease, else 3)");
  add_number(command, "-k,--mismatches", options.mismatches, {0, most_mismatches},
             "Find sites with at most N mismatches in the guide");
  add_strand_option(command, options.strand, "guide");
  add_regions_option(command, options.regions, "sites");
  add_number(command, "--dna-bulge", options.bulges.dna, {0, BulgeLimits::most},
             "Find sites with a DNA bulge, too: up to N bases of the genome, side by side inside "
             "the site, that the guide lacks");
  add_number(command, "--rna-bulge", options.bulges.rna, {0, BulgeLimits::most},
             "Find sites with an RNA bulge, too: up to N letters of the guide, side by side inside "
             "it, that the genome lacks");
  add_circular_option(command, options.circular, "sites");
  add_parsed(command, "--stop-at", "I:N",
             "Drop a guide with more than N sites that have at most I mismatches, and search it no "
             "further: n0 to nI of its line are counted, the other numbers are '.'",
             [&options](const std::string& text) { options.stop_at = parse_stop(text); });
  begin_group(command, "Output");
  add_path(
      command, "--score", options.score,
      "Score sites: mit, for guides of 20 bases as Hsu et al. (2013) do; none; or by the table "
      "of weights in FILE, which may be - or gzip")
      ->default_str(options.score);
  add_path(command, "-o,--output", options.output,
           "Write the table of guides to FILE instead of standard output, as BGZF if the name ends "
           "in .gz or .bgz");
  add_path(command, "--sites", options.sites,
           "Write the sites to FILE, likewise; - is standard output");
  options.format.add(
      command,
      {{ResultFormat::tsv},
       {ResultFormat::bed, "Write the sites as BED6 with the number of mismatches as score"},
       {ResultFormat::jsonl, "Write the sites as JSON lines, one object per site"},
       {ResultFormat::gff3},
       {ResultFormat::cas_offinder}},
      "Write the sites in this format; cas-offinder is the columns of Cas-OFFinder 2, with bulges "
      "of cas-offinder-bulge (default: the one that the suffix of --sites names, also before .gz, "
      "and otherwise tsv)");
  add_number(
      command, "--max-hits", options.max_hits, {},
      "Write at most N sites per guide, those with the fewest mismatches, and with small bulges "
      "before large ones; 0 writes all. The numbers of the guide stay those of all sites");
  add_sort_option(command, options.sort, "sites", "guide, as in the input", "");
  add_by_file_option(command, options.by_file,
                     "file_id in the lines of --sites, as TSV, JSON lines or GFF3");
  add_path(command, "--summary", options.summary,
           "Write the numbers of guides and sites to FILE, as JSON");
  add_flag(command, "--no-header", options.no_header,
           "Leave out the header lines, if the formats have any");
  add_memory_limit(command, options.memory_limit,
                   "Allocate at most SIZE; pages of the index file do not count. If the table of "
                   "PAM sites does not fit, it is made in parts (default: 3/4 of the free memory)");
  add_device_options(command, options.device);
}

}  // namespace gsx::app

#include "commands/offtarget_target.hpp"

#include "base/error.hpp"
#include "base/messages.hpp"
#include "device/cost.hpp"
#include "inputs/hit_regions.hpp"
#include "process/environment.hpp"

namespace gsx::app {

Target open_target(OfftargetOptions& options, Session& session) {
  DnaListRequest request{
      .command = "offtarget",
      .listed = "guides",
      .nothing =
          "no guides: name a file with a guide per line, or FASTA, - for standard input, -p GUIDE, "
          "or --all-sites",
      .needs_list = !options.all_sites,
      .outputs = {options.output, options.sites, options.summary}};
  request.check = [&options] {
    if (!options.all_sites || options.files.empty()) return;
    throw UsageError("--all-sites takes its guides from the genome, not from '" +
                     printable(options.files.front()) + "'");
  };
  if (!options.guides_in.empty()) request.other_files.push_back(options.guides_in);
  if (options.score_file()) request.other_files.push_back(options.score);
  return open_dna_target(options, request, session);
}

std::unique_ptr<Backend> open_backend(const OfftargetOptions& options, const Target& target,
                                      int threads) {
  WorkCost cost = cost_of_guides(target.symbols(), listed_sequences(options),
                                 options.bulges.dna + options.bulges.rna);
  if (options.all_sites) {
    // Those of regions are few.
    cost = options.guides_in.empty() ? cost_of_all_guides(target.symbols()) : WorkCost();
  }
  return options.device.for_work(cost, options.memory_limit, threads).make(cpu_path());
}

std::unique_ptr<SiteGuides> site_guides_of(const OfftargetOptions& options, const Target& target,
                                           const Pam& pam, int threads) {
  if (!options.all_sites) return nullptr;
  auto guides = std::make_unique<SiteGuides>(target.text(), target.records(), pam,
                                             options.length_of_guides());
  if (options.guides_in.empty()) return guides;
  const auto require = [&](std::uint64_t bytes) {
    plan_memory(options.memory_limit, "reading the regions", target, threads, bytes);
  };
  guides->keep_within(
      {target.segments(), target.records(),
       read_regions(options.guides_in, target.records(), options.memory_limit.bytes, require)
           .ranges},
      require);
  return guides;
}

}  // namespace gsx::app

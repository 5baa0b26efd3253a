#include "commands/offtarget_target.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "device/cost.hpp"
#include "inputs/region_resolver.hpp"
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
      .outputs = {options.output, options.sites}};
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

std::vector<RecordRange> regions_of(const OfftargetOptions& options, const Target& target,
                                    int threads) {
  // Requests take several times their bytes while they are looked up.
  constexpr std::uint64_t request_share = 64, least_requests = std::uint64_t{1} << 16;
  RegionFile file(options.guides_in,
                  std::min<std::uint64_t>(
                      RegionFile::usual_bytes,
                      std::max(options.memory_limit.bytes / request_share, least_requests)));
  const Alphabet dna = Alphabet::dna();
  ViewedRecords records(target.records());
  RegionResolver resolver(records, dna, {});
  std::vector<RegionRequest> requests;
  std::vector<RecordRange> ranges;
  const auto add = [&](const Piece& piece) {
    if (ranges.size() == ranges.capacity()) {
      const std::size_t more = std::max<std::size_t>(1024, 2 * ranges.size());
      const std::uint64_t bytes = (ranges.size() + more) * sizeof(RecordRange);
      plan_memory(options.memory_limit, "reading the regions", target, threads, bytes);
      ranges.reserve(more);
    }
    ranges.push_back({piece.record, piece.begin, piece.end});
  };
  while (file.next(requests)) {
    resolver.resolve(
        requests, [&](std::uint64_t line) { return file.place(line) + ": "; }, add);
  }
  if (ranges.empty()) log().warn("{} has no regions", file.name());
  resolver.log_clipped();
  return ranges;
}

std::unique_ptr<SiteGuides> site_guides_of(const OfftargetOptions& options, const Target& target,
                                           const Pam& pam, int threads) {
  if (!options.all_sites) return nullptr;
  auto guides = std::make_unique<SiteGuides>(target.text(), target.records(), pam,
                                             options.length_of_guides());
  if (options.guides_in.empty()) return guides;
  guides->keep_within(regions_of(options, target, threads), [&](std::uint64_t bytes) {
    plan_memory(options.memory_limit, "looking up the regions", target, threads, bytes);
  });
  return guides;
}

}  // namespace gsx::app

#include "commands/offtarget_target.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "inputs/index_choice.hpp"
#include "inputs/input_options.hpp"
#include "inputs/region_resolver.hpp"
#include "process/environment.hpp"

namespace gsx::app {
namespace {

void require_guides(const OfftargetOptions& options) {
  if (!options.guides.empty() || !options.patterns.empty() || options.all_sites) return;
  throw UsageError(
      "no guides: name a file with a guide per line, or FASTA, - for standard input, -p GUIDE, or "
      "--all-sites");
}

}  // namespace

DnaTarget open_target(OfftargetOptions& options, Session& session) {
  require_guides(options);
  std::string index = options.index;
  if (options.references.empty())
    index = choose_index(options.index, options.guides, ArgumentKind::queries);
  require_guides(options);
  refuse_indexes(options.guides, "not guides; name the index by -x");
  if (options.all_sites && !options.guides.empty()) {
    throw UsageError("--all-sites takes its guides from the genome, not from '" +
                     printable(options.guides.front()) + "'");
  }
  require_files(options.guides);
  std::vector<std::string> files = options.guides;
  if (!options.regions.empty()) files.push_back(options.regions);
  if (options.score_file()) files.push_back(options.score);
  return DnaTarget::open({.command = "offtarget",
                          .index = index,
                          .references = options.references,
                          .other_files = files,
                          .memory_limit = options.memory_limit,
                          .reading = options.reading},
                         session);
}

std::unique_ptr<Backend> open_backend(const OfftargetOptions& options, const DnaTarget& target,
                                      int threads) {
  OfftargetOptions chosen = options;
  std::string& device = chosen.device.device;
  const std::uint64_t symbols = target.symbols();
  if (!options.all_sites) {
    device = device_for_guides(device, symbols, threads);
  } else if (device == "auto") {
    // A guide per ten bases, each of which takes about 4e-13 s per base.
    const double guides = static_cast<double>(symbols) / 10;
    const double seconds = guides * static_cast<double>(symbols) * 4e-13 / threads;
    if (seconds < 0.5 || !options.regions.empty()) device = "cpu";
  }
  return chosen.device.for_run(options.memory_limit).make(cpu_path());
}

std::vector<RecordRange> regions_of(const OfftargetOptions& options, const DnaTarget& target,
                                    int threads) {
  // Requests take several times their bytes while they are looked up.
  constexpr std::uint64_t request_share = 64, least_requests = std::uint64_t{1} << 16;
  RegionFile file(options.regions,
                  std::min<std::uint64_t>(
                      RegionFile::usual_bytes,
                      std::max(options.memory_limit.bytes / request_share, least_requests)));
  const Alphabet dna = Alphabet::dna();
  RegionResolver resolver(target.records(), dna, {});
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

std::unique_ptr<SiteGuides> site_guides_of(const OfftargetOptions& options, const DnaTarget& target,
                                           const Pam& pam, int threads) {
  if (!options.all_sites) return nullptr;
  plan_memory(options.memory_limit, "searching guides", target, threads);
  auto guides = std::make_unique<SiteGuides>(target.text(), target.records(), pam,
                                             options.length_of_guides());
  if (options.regions.empty()) return guides;
  guides->keep_within(regions_of(options, target, threads), [&](std::uint64_t bytes) {
    plan_memory(options.memory_limit, "looking up the regions", target, threads, bytes);
  });
  return guides;
}

OfftargetMemory plan_memory(const OfftargetOptions& options, const DnaTarget& target, int threads,
                            std::uint64_t held) {
  const SizeLimit& limit = options.memory_limit;
  const DnaSearchMemory memory = plan_memory(limit, "searching guides", target, threads, held);
  // With bulges, patterns take as much as the hits.
  const std::uint64_t part = limit.bytes == unlimited ? 16 : options.bulges.any() ? 8 : 4;
  return {memory.search, memory.table_bytes, memory.table_bytes / part / sizeof(Hit)};
}

}  // namespace gsx::app

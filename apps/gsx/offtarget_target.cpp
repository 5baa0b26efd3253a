#include "offtarget_target.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "environment.hpp"
#include "index_choice.hpp"
#include "region_resolver.hpp"

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
  const std::uint64_t symbols = target.text().length();
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

std::vector<RecordRange> regions_of(const OfftargetOptions& options, const DnaTarget& target) {
  RegionFile file(options.regions);
  const Alphabet dna = Alphabet::dna();
  RegionResolver resolver(target.records(), dna, {});
  std::vector<RegionRequest> requests;
  std::vector<RecordRange> ranges;
  while (file.next(requests)) {
    resolver.resolve(
        requests, [&](std::uint64_t line) { return file.place(line) + ": "; },
        [&](const Piece& piece) {
          ranges.push_back({piece.record, piece.begin, piece.end});
        });
  }
  if (ranges.empty()) log().warn("{} has no regions", file.name());
  resolver.log_clipped();
  return ranges;
}

OfftargetMemory plan_memory(const OfftargetOptions& options, const DnaTarget& target, int threads) {
  const SizeLimit& limit = options.memory_limit;
  const DnaSearchMemory memory = plan_memory(limit, "searching guides", target, threads);
  // With bulges, patterns take as much as the hits.
  const std::uint64_t part = limit.bytes == unlimited ? 16 : options.bulges.any() ? 8 : 4;
  return {memory.search, memory.table_bytes, memory.table_bytes / part / sizeof(Hit)};
}

}  // namespace gsx::app

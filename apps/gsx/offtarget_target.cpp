#include "offtarget_target.hpp"

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index_choice.hpp"

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
  refuse_indexes(options.guides);
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
                          .memory_limit = options.memory_limit},
                         session);
}

OfftargetMemory plan_memory(const OfftargetOptions& options, const DnaTarget& target, int threads) {
  const SizeLimit& limit = options.memory_limit;
  const DnaSearchMemory memory = plan_memory(limit, "searching guides", target, threads);
  const std::uint64_t part = limit.bytes == unlimited ? 16 : 4;
  return {memory.search, memory.table_bytes, memory.table_bytes / part / sizeof(Hit)};
}

}  // namespace gsx::app

#include "offtarget_target.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index_choice.hpp"
#include "input_options.hpp"
#include "machine/machine.hpp"

namespace gsx::app {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

void require_guides(const OfftargetOptions& options) {
  if (!options.guides.empty() || !options.patterns.empty() || options.all_sites) return;
  throw UsageError(
      "no guides: name a file with a guide per line, or FASTA, - for standard input, -p GUIDE, or "
      "--all-sites");
}

Text read_references(const OfftargetOptions& options, Session& session) {
  const std::vector<std::string>& files = options.references;
  if (!options.index.empty())
    throw UsageError("-x and -r both say what to search; give one of them");
  for (const std::string& file : files) {
    if (is_index(file))
      throw UsageError("'" + printable(file) + "' is an index, not sequences: name it by -x");
  }
  require_files(files);
  InputOptions input;
  input.files = files;
  input.alphabet = "dna";
  input.memory_limit = options.memory_limit;
  return read_input(input, session);
}

}  // namespace

OfftargetTarget OfftargetTarget::open(OfftargetOptions& options, Session& session) {
  OfftargetTarget target;
  require_guides(options);
  std::string index;
  if (options.references.empty())
    index = choose_index(options.index, options.guides, ArgumentKind::queries);
  require_guides(options);
  refuse_indexes(options.guides);
  if (options.all_sites && !options.guides.empty()) {
    throw UsageError("--all-sites takes its guides from the genome, not from '" +
                     printable(options.guides.front()) + "'");
  }
  target.files_ = options.guides;
  target.files_.insert(target.files_.end(), options.references.begin(), options.references.end());
  if (!options.regions.empty()) target.files_.push_back(options.regions);
  if (std::ranges::count(target.files_, "-") > 1)
    throw UsageError("'-' is given twice, but standard input can be read only once");
  if (std::ranges::count(target.files_, "") > 0)
    throw UsageError("the name of a file is empty; name a file, or '-' for standard input");
  if (!options.references.empty()) {
    target.text_ = std::make_unique<Text>(read_references(options, session));
    return target;
  }
  target.index_ = Index::open(index, Load::map, session.threads);
  target.files_.push_back(target.index_->path());
  if (target.index_->alphabet().policy() != SymbolPolicy::dna) {
    throw UsageError("offtarget needs a DNA index; '" + printable(index) + "' is " +
                     std::string(name_of(target.index_->alphabet().policy())));
  }
  return target;
}

std::uint64_t OfftargetTarget::bytes() const {
  const SegmentsView segments = text().segments;
  const std::uint64_t tables =
      (segments.count + 1 + (segments.length() >> segments.shift) + 2) * sizeof(std::uint64_t);
  if (index_) return tables + (index_->is_mapped() ? 0 : index_->file_bytes());
  return tables + text().symbols.size / 4 + segments.count * 4 * sizeof(std::uint64_t);
}

OfftargetMemory plan_memory(const OfftargetOptions& options, const OfftargetTarget& target,
                            int threads) {
  OfftargetMemory memory;
  const std::uint64_t limit = options.memory_limit.bytes;
  if (limit == unlimited) {
    const MachineFacts facts = machine_facts();
    const MemoryRoom room = memory_room(facts, threads);
    memory.table_bytes = (room.bytes - std::min(room.bytes, facts.resident)) / 4 * 3;
    memory.joined_hits = memory.table_bytes / 16 / sizeof(Hit);
    return memory;
  }
  // For the program, and lines of text per thread.
  const std::uint64_t fixed =
      12 * mib + static_cast<std::uint64_t>(threads) * 6 * mib + target.bytes();
  const std::uint64_t least = fixed + 4 * mib;
  if (limit < least) {
    throw ResourceError("too little memory: searching guides takes at least " +
                        std::to_string(least) + " bytes, and " + options.memory_limit.given_by +
                        " allows " + std::to_string(limit));
  }
  const std::uint64_t room = limit - fixed;
  memory.search.hits_at_once =
      std::min<std::uint64_t>(memory.search.hits_at_once, room / 4 / (2 * sizeof(Hit)));
  memory.table_bytes = room / 2;
  memory.joined_hits = room / 8 / sizeof(Hit);
  return memory;
}

}  // namespace gsx::app

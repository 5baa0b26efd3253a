#include "dna_target.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index_choice.hpp"
#include "input_options.hpp"
#include "machine/machine.hpp"
#include "open_index.hpp"
#include "process.hpp"

namespace gsx::app {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

Text read_references(const DnaTargetRequest& request, Session& session) {
  const std::vector<std::string>& files = request.references;
  for (const std::string& file : files) {
    if (is_index(file))
      throw UsageError("'" + printable(file) + "' is an index, not sequences: name it by -x");
  }
  require_files(files);
  InputOptions input;
  input.files = files;
  input.alphabet = "dna";
  input.only_dna = true;
  input.memory_limit = request.memory_limit;
  input.allow_no_eof = request.reading.allow_no_eof;
  input.whole_header = request.reading.whole_header;
  input.offers_whole_header = true;
  return read_input(input, session);
}

}  // namespace

void add_reference_options(CLI::App& command, ReferenceOptions& options, CLI::Option* reference) {
  add_no_eof_option(command, options.allow_no_eof, "-r")->needs(reference);
  add_whole_header_option(command, options.whole_header, " of -r")->needs(reference);
}

DnaTarget DnaTarget::open(const DnaTargetRequest& request, Session& session) {
  DnaTarget target;
  if (!request.references.empty() && !request.index.empty())
    throw UsageError("-x and -r both say what to search; give one of them");
  target.files_ = request.other_files;
  target.files_.insert(target.files_.end(), request.references.begin(), request.references.end());
  if (std::ranges::count(target.files_, "-") > 1)
    throw UsageError("'-' is given twice, but standard input can be read only once");
  if (std::ranges::count(target.files_, "") > 0)
    throw UsageError("the name of a file is empty; name a file, or '-' for standard input");
  if (!request.references.empty()) {
    target.text_ = std::make_unique<Text>(read_references(request, session));
    return target;
  }
  const auto require_dna = [&request](const Index& index) {
    if (index.alphabet().policy() == SymbolPolicy::dna) return;
    throw UsageError(request.command + " needs a DNA index; '" + printable(request.index) +
                     "' is " + std::string(name_of(index.alphabet().policy())));
  };
  target.index_ = open_index(request.index, IndexUse::whole, session, {.check = require_dna});
  target.files_.push_back(target.index_->path());
  return target;
}

std::uint64_t DnaTarget::bytes() const {
  const SegmentsView segments = text().segments;
  const std::uint64_t tables =
      (segments.count + 1 + (segments.length() >> segments.shift) + 2) * sizeof(std::uint64_t);
  if (index_) return tables + (index_->is_mapped() ? 0 : index_->file_bytes());
  return tables + text().symbols.size / 4 + segments.count * 4 * sizeof(std::uint64_t);
}

DnaSearchMemory plan_memory(const SizeLimit& given, const char* what, const DnaTarget& target,
                            int threads) {
  DnaSearchMemory memory;
  const std::uint64_t limit = given.bytes;
  if (limit == unlimited) {
    const MachineFacts facts = machine_facts();
    const MemoryRoom room = memory_room(facts, threads);
    memory.table_bytes = (room.bytes - std::min(room.bytes, facts.resident)) / 4 * 3;
    return memory;
  }
  // For the program, and lines of text per thread.
  const std::uint64_t fixed =
      12 * mib + static_cast<std::uint64_t>(threads) * 6 * mib + target.bytes();
  const std::uint64_t least = fixed + 4 * mib;
  if (limit < least) {
    throw ResourceError(std::string("too little memory: ") + what + " takes at least " +
                        std::to_string(least) + " bytes, and " + given.given_by + " allows " +
                        std::to_string(limit));
  }
  give_memory_back_within(limit);
  const std::uint64_t room = limit - fixed;
  memory.search.hits_at_once =
      std::min<std::uint64_t>(memory.search.hits_at_once, room / 4 / (2 * sizeof(Hit)));
  memory.table_bytes = room / 2;
  return memory;
}

}  // namespace gsx::app

#include "inputs/dna_target.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "inputs/input_options.hpp"
#include "inputs/open_index.hpp"
#include "options/named_once.hpp"
#include "process/process.hpp"

namespace gsx::app {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

}  // namespace

DnaTarget DnaTarget::open(const DnaTargetRequest& request, Session& session) {
  DnaTarget target;
  if (!request.references.empty() && !request.index.empty())
    throw UsageError("-x and -r both say what to search; give one of them");
  std::vector<std::string> files = request.other_files;
  files.insert(files.end(), request.references.begin(), request.references.end());
  if (std::ranges::count(files, "-") > 1)
    throw UsageError("'-' is given twice, but standard input can be read only once");
  if (std::ranges::count(files, "") > 0)
    throw UsageError("the name of a file is empty; name a file, or '-' for standard input");
  warn_of_named_twice(request.other_files, "its lines are searched twice");
  session.files.reads(files);
  if (!request.references.empty()) {
    require_sequences(request.references);
    require_files(request.references);
    ReferenceOptions reading = request.reading;
    reading.only_dna = true;
    target.text_ = std::make_unique<Text>(
        read_references(request.references, reading, request.memory_limit, session));
    return target;
  }
  const auto require_dna = [&request](const Index& index) {
    if (index.alphabet().policy() == SymbolPolicy::dna) return;
    throw UsageError(request.command + " needs a DNA index; '" + printable(request.index) +
                     "' is " + std::string(name_of(index.alphabet().policy())));
  };
  target.index_ = open_index(request.index, IndexUse::parts, session, {.check = require_dna});
  return target;
}

std::uint64_t DnaTarget::bytes() const {
  const SegmentsView segments = index_ ? index_->fm().segments : text_->segments.view();
  const std::uint64_t tables =
      (segments.count + 1 + (segments.length() >> segments.shift) + 2) * sizeof(std::uint64_t);
  const std::uint64_t text = symbols() / 4 + segments.count * 4 * sizeof(std::uint64_t);
  if (!index_) return tables + text;
  const std::uint64_t held = index_->is_mapped() ? 0 : index_->file_bytes();
  if (index_->parts().empty()) return tables + held;
  // Of shards, the text and the tables of records are put together.
  const RecordsView records = index_->records();
  return tables + held + text + records.names.size() + records.comments.size() +
         records.size() * (sizeof(RecordInfo) + 2 * sizeof(std::uint64_t)) +
         records.gaps.size() * sizeof(Gap);
}

DnaSearchMemory plan_memory(const SizeLimit& given, const char* what, const DnaTarget& target,
                            int threads, std::uint64_t held) {
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
      12 * mib + static_cast<std::uint64_t>(threads) * 6 * mib + target.bytes() + held;
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

#include "run/target.hpp"

#include <algorithm>

#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"

namespace gsx {

std::uint64_t Target::bytes() const {
  if (index_) return memory_of_index(*index_) + joined_text_bytes(*index_);
  const SegmentsView& segments = views_.text.segments;
  const std::uint64_t tables =
      (segments.count + 1 + (segments.length() >> segments.shift) + 2) * sizeof(std::uint64_t);
  return tables + symbols() / 4 + segments.count * 4 * sizeof(std::uint64_t);
}

Target of_dna(Target target, const char* search) {
  const SymbolPolicy policy = target.alphabet().policy();
  if (policy == SymbolPolicy::dna) return target;
  throw UsageError(std::string(search) + " needs DNA; the " +
                   (target.index() != nullptr ? "index" : "text") + " is of " +
                   std::string(name_of(policy)));
}

void require_mismatches(std::uint32_t mismatches) {
  if (mismatches <= most_mismatches) return;
  throw UsageError("mismatches is " + std::to_string(mismatches) + ", and must be at most " +
                   std::to_string(most_mismatches));
}

std::uint64_t free_table_bytes(int threads) {
  const MachineFacts facts = machine_facts();
  const std::uint64_t room = memory_room(facts, threads).bytes;
  return (room - std::min(room, facts.resident)) / 4 * 3;
}

DnaSearchMemory plan_dna_search(const DnaMemoryRequest& request, const Target& target) {
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  DnaSearchMemory memory;
  if (request.limit == unlimited) {
    memory.table_bytes = free_table_bytes(request.threads);
    return memory;
  }
  // For the program, and lines of text per thread.
  const std::uint64_t fixed = 12 * mib + static_cast<std::uint64_t>(request.threads) * 6 * mib +
                              target.bytes() + request.held;
  const std::uint64_t least = fixed + 4 * mib;
  if (request.limit < least) {
    throw ResourceError(memory_shortage(request.work, least, request.limited_by, request.limit));
  }
  const std::uint64_t room = request.limit - fixed;
  memory.search.hits_at_once =
      std::min<std::uint64_t>(memory.search.hits_at_once, room / 4 / (2 * sizeof(Hit)));
  memory.table_bytes = room / 2;
  return memory;
}

}  // namespace gsx

#include "run/dna_request.hpp"

#include <string>

#include "base/error.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

void require_dna(SymbolPolicy policy, const char* what, const char* search) {
  if (policy == SymbolPolicy::dna) return;
  throw UsageError(std::string(search) + " needs DNA; the " + what + " is of " +
                   std::string(name_of(policy)));
}

void require_mismatches(std::uint32_t mismatches) {
  if (mismatches <= most_mismatches) return;
  throw UsageError("mismatches is " + std::to_string(mismatches) + ", and must be at most " +
                   std::to_string(most_mismatches));
}

}  // namespace gsx

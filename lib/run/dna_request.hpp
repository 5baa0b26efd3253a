// What every public search with mismatches asks of its text and its options.
#pragma once

#include <cstdint>

#include "text/alphabet.hpp"

namespace gsx {

/// Throws UsageError unless what is searched, an "index" or a "text", is of DNA. `search` is what
/// needs it, for the message: "a search for guides".
void require_dna(SymbolPolicy policy, const char* what, const char* search);

/// Throws UsageError for more than most_mismatches.
void require_mismatches(std::uint32_t mismatches);

}  // namespace gsx

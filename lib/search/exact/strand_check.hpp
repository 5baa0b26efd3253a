// Which alphabets have a reverse strand.
#pragma once

#include <string>

#include "base/error.hpp"
#include "search/exact/hits.hpp"
#include "text/alphabet.hpp"

namespace gsx {

/// Throws UsageError if the reverse strand alone is to be searched, and the alphabet has none.
inline void require_strand(Strands strands, const Alphabet& alphabet) {
  if (strands != Strands::reverse || alphabet.has_reverse_complement()) return;
  throw UsageError("the reverse strand needs a text of DNA; this one is of " +
                   std::string(name_of(alphabet.policy())));
}

}  // namespace gsx

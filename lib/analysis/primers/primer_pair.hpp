// Pairs of primers, and where they may differ from a genome.
#pragma once

#include <cstdint>
#include <string>

namespace gsx {

/// The primers of a PCR, both 5' to 3', as ordered. Letters are IUPAC codes of either case.
struct PrimerPair {
  std::string name;
  std::string forward;
  std::string reverse;
};

/// Where a primer may differ from the genome.
struct PrimerRules {
  std::uint32_t mismatches = 0;      ///< of a whole primer
  std::uint32_t end_bases = 0;       ///< at the 3' end; 0 sets no rule for it
  std::uint32_t end_mismatches = 0;  ///< at most so many in the last `end_bases`
};

/// Which primers make a product: the one on the forward strand, at its start, and the one on the
/// reverse strand, at its end.
enum class PrimerRoles : std::uint8_t {
  forward_reverse,
  reverse_forward,
  forward_forward,
  reverse_reverse
};

}  // namespace gsx

// Bases with the composition of human DNA, for the synthetic genome.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "bench/synthetic_random.hpp"

namespace gsx {

/// Draws bases as they follow each other in human DNA: isochores of 35 to 55 % G and C (41 % on
/// average), and in each the dinucleotides as over- or underrepresented as there, CG at a quarter
/// of its expected share. Small enough for the first-level cache.
class BaseSource {
 public:
  static constexpr int isochores = 8;

  BaseSource();
  /// Writes `length` bases of one isochore.
  void fill(Random& random, int isochore, char* out, std::uint64_t length) const;
  /// Writes `length` bases, in isochores of 64 to 320 kbp.
  void fill_mixed(Random& random, char* out, std::uint64_t length) const;
  /// `length` bases of one isochore.
  std::string draw(Random& random, int isochore, std::uint64_t length) const;

 private:
  using NextBase = std::array<std::uint8_t, 256>;  ///< random byte -> code of the next base
  std::array<std::array<NextBase, 4>, isochores> next_;
};

inline constexpr char base_letters[] = "ACGT";

}  // namespace gsx

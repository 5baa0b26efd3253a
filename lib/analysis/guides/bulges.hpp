// Sites with a bulge: bases of the genome that the guide lacks, or of the guide that it lacks.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/mismatches/base_set.hpp"

namespace gsx {

/// Bases that a site has more than its guide: > 0 is a DNA bulge of so many bases, < 0 an RNA
/// bulge, 0 none. A site has at most one bulge, which is in one piece. It lies inside the guide:
/// the first and the last letter of the guide are never part of it, nor beyond it.
using Bulge = std::int8_t;

/// The largest bulges that are searched for.
struct BulgeLimits {
  static constexpr std::uint32_t most = 5;

  std::uint32_t dna = 0;
  std::uint32_t rna = 0;

  bool any() const { return dna + rna != 0; }
  /// What a site may be: none, DNA bulges of 1 base and more, RNA bulges of 1 base and more.
  std::vector<Bulge> kinds() const;
  std::size_t size() const { return std::size_t{1} + dna + rna; }
  /// The number of one of kinds().
  std::size_t number_of(Bulge bulge) const {
    return bulge >= 0 ? static_cast<std::size_t>(bulge) : dna + static_cast<std::size_t>(-bulge);
  }
};

/// X, DNA or RNA, as in the output of Cas-OFFinder.
std::string_view type_of(Bulge bulge);

inline std::uint32_t size_of(Bulge bulge) {
  return static_cast<std::uint32_t>(std::abs(bulge));
}

/// The columns that count the sites of a guide: by mismatches, n0 to n4, for each of kinds(), whose
/// bulge stands before them, as in dna1_n0.
std::vector<std::string> site_classes(std::uint32_t mismatches, const BulgeLimits& limits);

/// Letters of the guide before its bulge: [first, last). None if a guide of that length has no such
/// site. An RNA bulge leaves more letters than mismatches are allowed.
struct BulgePlaces {
  std::uint32_t first = 1;
  std::uint32_t last = 1;
};
BulgePlaces places_of(Bulge bulge, std::size_t guide_length, std::uint32_t mismatches);

/// Gives what sites with such a bulge look like, in IUPAC codes, without the PAM: of each place of
/// the bulge the guide with N for each base of a DNA bulge, or without the letters of an RNA bulge.
/// No two are equal, and none is N alone.
using TakeLetters = std::function<void(std::string_view letters)>;
void for_each_with_bulge(std::string_view guide, Bulge bulge, std::uint32_t mismatches,
                         const TakeLetters& take);
/// Gives such letters with A, C, G and T for each N of a bulge. A site may match several of them;
/// with the fewest mismatches it matches one that has its own bases in the bulge.
void for_each_with_bulge_of_bases(std::string_view guide, Bulge bulge, std::uint32_t mismatches,
                                  const TakeLetters& take);

/// How a site and a guide lie beside each other.
struct BulgeAlignment {
  std::uint32_t mismatches = ~std::uint32_t{0};
  std::uint32_t before = 0;  ///< letters of the guide before the bulge
};

/// The alignment with the fewest mismatches; of several, that whose bulge is nearest to the 5' end
/// of the guide. `codes` are the bases of the site, without the PAM, in the direction of the guide.
/// It has no end of mismatches if there is no alignment that can be asked for. Pre: codes.size() ==
/// guide.size() + bulge, and bulge != 0.
BulgeAlignment align_bulge(std::span<const BaseSet> guide, std::span<const std::uint8_t> codes,
                           Bulge bulge, std::uint32_t mismatches);

}  // namespace gsx

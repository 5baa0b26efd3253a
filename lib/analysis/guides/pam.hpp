// The PAM beside which guides are searched.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "search/mismatches/base_set.hpp"
#include "search/sites/site_shape.hpp"

namespace gsx {

/// Bases of a guide, if the nuclease is not known.
inline constexpr std::uint32_t usual_guide_length = 20;

/// A PAM, and on which side of the guide it lies.
struct Pam {
  std::string letters = "NGG";                      ///< IUPAC codes, upper case, T for U
  bool before_guide = false;                        ///< on its 5' side
  std::uint32_t guide_length = usual_guide_length;  ///< bases that its guides usually have

  std::size_t size() const { return letters.size(); }
  /// How a guide holds it, in words that follow "they".
  std::string side() const {
    return (before_guide ? "begin with the PAM " : "end in the PAM ") + letters;
  }
  /// Whether a sequence is longer than the PAM, and has it on its side: each of its letters there
  /// may stand for a base that the PAM allows.
  bool ends(std::string_view sequence) const;
  /// The sequence without the letters at the side of the PAM. Pre: ends(sequence).
  std::string_view cut_from(std::string_view sequence) const {
    return before_guide ? sequence.substr(size()) : sequence.substr(0, sequence.size() - size());
  }
  /// The pattern of a guide: its letters as sets, and the PAM, which must match.
  std::vector<BaseSet> pattern_of(std::string_view guide) const {
    std::vector<BaseSet> pattern;
    append_pattern(guide, pattern);
    return pattern;
  }
  /// Appends that pattern.
  void append_pattern(std::string_view guide, std::vector<BaseSet>& pattern) const;
  /// The sites of guides of so many bases.
  SiteShape shape(std::uint32_t guide) const;
  /// Whether it allows every base, so that nothing tells whether a sequence ends in it.
  bool allows_all() const { return letters.find_first_not_of('N') == std::string::npos; }
};

/// Whether a site of one of them can be a site of the other. Pre: they have one length and side.
bool have_common_sites(const Pam& a, const Pam& b);

/// Throws UsageError for letters that are no PAM: 1 to 32 IUPAC codes.
void check_pam(std::string_view letters);

/// Throws UsageError for PAMs whose sites would be found twice, or would not be as long as those of
/// the first; for such a one; and for none. Pre: they have one side.
void check_pams(const std::vector<Pam>& pams);

/// The letters of PAMs, separated by commas.
std::string letters_of(const std::vector<Pam>& pams);

/// Upper case, and T for U.
std::string as_dna(std::string_view letters);
/// Replaces letters by those.
void make_dna(std::string& letters);

/// What a nuclease needs.
struct Nuclease {
  std::string_view name;
  std::string_view pam;
  bool pam_first;
  std::uint32_t guide_length;
};
/// The nucleases that are known by name.
const std::vector<Nuclease>& nucleases();

}  // namespace gsx

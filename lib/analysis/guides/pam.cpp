#include "analysis/guides/pam.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx {

bool Pam::ends(std::string_view sequence) const {
  if (sequence.size() <= size()) return false;
  const std::string_view end =
      before_guide ? sequence.substr(0, size()) : sequence.substr(sequence.size() - size());
  return std::equal(end.begin(), end.end(), letters.begin(), [](char letter, char allowed) {
    return (iupac_base_set(letter) & iupac_base_set(allowed)) != 0;
  });
}

void Pam::append_pattern(std::string_view guide, std::vector<BaseSet>& pattern) const {
  const auto add_pam = [&] {
    for (const char letter : letters)
      pattern.push_back(static_cast<BaseSet>(iupac_base_set(letter) | base_sets::must_match));
  };
  if (before_guide) add_pam();
  for (const char letter : guide)
    pattern.push_back(iupac_base_set(letter));
  if (!before_guide) add_pam();
}

SiteShape Pam::shape(std::uint32_t guide) const {
  SiteShape shape;
  for (const char letter : letters)
    shape.pam.push_back(iupac_base_set(letter));
  shape.pam_first = before_guide;
  shape.guide = guide;
  return shape;
}

bool have_common_sites(const Pam& a, const Pam& b) {
  return std::equal(a.letters.begin(), a.letters.end(), b.letters.begin(),
                    [](char x, char y) { return (iupac_base_set(x) & iupac_base_set(y)) != 0; });
}

void check_pam(std::string_view letters) {
  if (letters.empty() || letters.size() > 32)
    throw UsageError("a PAM has 1 to 32 letters, such as NGG");
  for (const char letter : letters) {
    if (iupac_base_set(letter) == base_sets::none) {
      throw UsageError("'" + shown_name(letters) + "': '" + printable({&letter, 1}) +
                       "' is no IUPAC code of a nucleotide");
    }
  }
}

void check_pams(const std::vector<Pam>& pams) {
  if (pams.empty()) throw UsageError("there is no PAM; give one, such as NGG");
  for (std::size_t i = 0; i < pams.size(); ++i) {
    const std::string& letters = pams[i].letters;
    check_pam(letters);
    if (letters.size() != pams[0].size()) {
      throw UsageError("the PAM " + letters + " is not as long as the PAM " + pams[0].letters +
                       "; fill it up with N on the side away from the guide");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (!have_common_sites(pams[i], pams[j])) continue;
      throw UsageError("the PAM " + letters + " and the PAM " + pams[j].letters +
                       " have sites in common; give PAMs that exclude each other");
    }
  }
}

std::string letters_of(const std::vector<Pam>& pams) {
  std::string letters;
  for (const Pam& pam : pams)
    letters += (letters.empty() ? "" : ",") + pam.letters;
  return letters;
}

std::string as_dna(std::string_view letters) {
  std::string dna(letters);
  make_dna(dna);
  return dna;
}

void make_dna(std::string& letters) {
  for (char& letter : letters) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    if (letter == 'U') letter = 'T';
  }
}

const std::vector<Nuclease>& nucleases() {
  static const std::vector<Nuclease> known = {
      {"SpCas9", "NGG", false, 20}, {"SpCas9-NG", "NG", false, 20},
      {"SpRY", "NRN", false, 20},   {"SaCas9", "NNGRRT", false, 21},
      {"Cas12a", "TTTV", true, 23}, {"NmCas9", "NNNNGATT", false, 24}};
  return known;
}

}  // namespace gsx

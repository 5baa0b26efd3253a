// Random searches for guides beside PAMs.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "search/mismatches/mismatches.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

namespace gsx::testing {

/// A guide with a PAM that must match after it, or before it.
inline std::vector<BaseSet> guide_pattern(const std::string& guide, const std::string& pam,
                                          bool pam_first) {
  std::vector<BaseSet> sets;
  const auto add = [&](const std::string& letters, BaseSet mark) {
    for (const char letter : letters)
      sets.push_back(static_cast<BaseSet>(iupac_base_set(letter) | mark));
  };
  if (pam_first) add(pam, base_sets::must_match);
  add(guide, 0);
  if (!pam_first) add(pam, base_sets::must_match);
  return sets;
}

struct SidedPam {
  const char* letters;
  bool first;
};
inline constexpr SidedPam sided_pams[] = {{"NGG", false}, {"NRN", false},    {"NNGRRT", false},
                                          {"TTTV", true}, {"N", true},       {"NNNNGATT", false},
                                          {"G", false},   {"ACGTACGT", true}};

/// A text, guides of one length beside one PAM, and how many mismatches they may have.
struct SiteCase {
  Text text;
  SidedPam pam;
  std::uint32_t guide = 0;  ///< bases
  SetPatternBuffer guides;
  std::uint32_t mismatches = 0;
};

/// Records with repeats, N and ends in sites; `size` is about their length in all. Some guides
/// occur twice, some are palindromes, and some hardly occur.
inline SiteCase random_site_case(Random& random, std::uint64_t size, std::uint64_t guides) {
  std::vector<std::string> records;
  std::string all;
  while (all.size() < size) {
    const std::uint64_t length = 1 + below(random, size);
    std::string record = random_string(random, length, below(random, 2) == 0 ? "ACGT" : "AGG");
    if (below(random, 3) == 0) record = mutated_copies(random, 40, 1 + length / 40, 25, "ACGT");
    if (below(random, 5) == 0) record = std::string(length, "ACGT"[below(random, 4)]);
    for (std::uint64_t runs = below(random, 4); runs > 0; --runs)
      record.replace(below(random, record.size()), 1 + below(random, 5), 1 + below(random, 9), 'N');
    all += record;
    records.push_back(record);
  }
  for (std::uint64_t tiny = below(random, 30); tiny > 0; --tiny)
    records.push_back(random_string(random, below(random, 40), "ACGT"));
  records.push_back("ACGT");
  SiteCase drawn{
      text_of_records(records), sided_pams[below(random, std::size(sided_pams))], 0, {}, 0};
  drawn.guide = static_cast<std::uint32_t>(2 + below(random, 27));
  const std::string pam = drawn.pam.letters;
  drawn.mismatches = static_cast<std::uint32_t>(below(random, below(random, 6) == 0 ? 10 : 5));
  std::vector<std::string> given;
  for (std::uint64_t i = 0; i < guides; ++i) {
    std::string guide = random_string(random, drawn.guide, "ACGT");
    if (all.size() > drawn.guide && below(random, 4) != 0)
      guide = all.substr(below(random, all.size() - drawn.guide), drawn.guide);
    if (!given.empty() && below(random, 5) == 0) guide = given[below(random, given.size())];
    for (char& base : guide)
      if (base == 'N' || below(random, 12) == 0) base = "ACGT"[below(random, 4)];
    given.push_back(guide);
    drawn.guides.add(guide_pattern(guide, pam, drawn.pam.first));
  }
  return drawn;
}

}  // namespace gsx::testing

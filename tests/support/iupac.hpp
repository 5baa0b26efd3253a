// What IUPAC codes of nucleotides stand for, written down apart from the library.
#pragma once

#include <cstddef>
#include <string_view>

namespace gsx::testing {

/// The bases that a letter in upper case stands for; none if it is no code.
inline std::string_view bases_of_code(char letter) {
  constexpr std::string_view letters = "ACGTURYSWKMBDHVN";
  constexpr std::string_view bases[] = {"A",  "C",  "G",  "T",   "T",   "AG",  "CT",  "CG",
                                        "AT", "GT", "AC", "CGT", "AGT", "ACT", "ACG", "ACGT"};
  const std::size_t at = letters.find(letter);
  return at == std::string_view::npos ? std::string_view() : bases[at];
}

inline bool stands_for(char letter, char base) {
  return bases_of_code(letter).find(base) != std::string_view::npos;
}

inline char complement_of_base(char base) {
  return "TGCA"[std::string_view("ACGT").find(base)];
}

}  // namespace gsx::testing

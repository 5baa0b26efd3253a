// Which primer of a pair a name is of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gsx {

/// What of a name tells which primer it is of, from the surest on: a word at its end (amp_F) or at
/// its beginning (F_amp), a capital (ampF), a number (amp_1).
enum class PrimerMark : std::uint8_t { ending, beginning, capital, number };
constexpr int primer_marks = 4;

/// What the names of both primers of a pair share, and which of them this one is.
struct PrimerName {
  std::string pair;
  bool reverse = false;
  PrimerMark mark = PrimerMark::ending;
};

/// The ways to read a name, the surest first: F_amp_1 is the forward primer of amp_1, or the first
/// one of F_amp. A word is F, R, FORWARD, LEFT and so on, in either case, perhaps with a number
/// (F1) or in brackets, behind a mark or a blank, or before one; or it begins with a capital.
/// Empty if the name tells no direction.
std::vector<PrimerName> primer_names(std::string_view name);

}  // namespace gsx

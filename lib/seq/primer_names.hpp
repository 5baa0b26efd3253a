// Which primer of a pair a name is of.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gsx {

/// What the names of both primers of a pair share, and which of them this one is.
struct PrimerName {
  std::string pair;
  bool reverse = false;
};

/// The parts of a name that ends in F, R, FORWARD, LEFT, 1 and so on, in either case, behind a mark
/// or a blank, perhaps with a number (F1) or in brackets; or in such a word that begins with a
/// capital (ampF); or that begins with one and a mark (F_amp). None of another name.
std::optional<PrimerName> primer_name(std::string_view name);

}  // namespace gsx

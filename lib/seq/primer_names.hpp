// Which primer of a pair a name is of.
#pragma once

#include <optional>
#include <string_view>

namespace gsx {

/// What the names of both primers of a pair share, and which of them this one is.
struct PrimerName {
  std::string_view pair;
  bool reverse = false;
};

/// The parts of a name that ends in F, R, FORWARD, LEFT, 1 and so on, in either case, behind a mark
/// or a blank; none of another name.
std::optional<PrimerName> primer_name(std::string_view name);

}  // namespace gsx

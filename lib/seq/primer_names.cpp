#include "seq/primer_names.hpp"

#include <algorithm>
#include <string>

namespace gsx {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

}  // namespace

std::optional<PrimerName> primer_name(std::string_view name) {
  const std::size_t mark = name.find_last_of("_-./:| ");
  if (mark == std::string_view::npos || mark == 0) return std::nullopt;
  std::string end(name.substr(mark + 1));
  std::ranges::transform(end, end.begin(), lower);
  for (const char* word : {"f", "fw", "fwd", "forward", "left", "l", "1"})
    if (end == word) return PrimerName{name.substr(0, mark), false};
  for (const char* word : {"r", "rv", "rev", "reverse", "right", "2"})
    if (end == word) return PrimerName{name.substr(0, mark), true};
  return std::nullopt;
}

}  // namespace gsx

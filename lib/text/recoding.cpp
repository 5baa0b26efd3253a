#include "text/recoding.hpp"

#include <string>

namespace gsx {

std::array<std::uint8_t, 256> recoding(const Alphabet& from, const Alphabet& to) {
  std::array<std::uint8_t, 256> codes{};
  codes.fill(Alphabet::none);
  for (std::uint32_t code = 0; code < from.size(); ++code)
    codes[code] = to.code(from.symbol(code));
  return codes;
}

Alphabet joined(const Alphabet& one, const Alphabet& other) {
  if (one.policy() == SymbolPolicy::dna || one.symbols() == other.symbols()) return one;
  return Alphabet::of(one.policy(), std::string(one.symbols()) + std::string(other.symbols()));
}

}  // namespace gsx

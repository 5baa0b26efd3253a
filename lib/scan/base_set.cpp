#include "scan/base_set.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace gsx {
namespace {

constexpr auto iupac_sets = [] {
  std::array<BaseSet, 256> table{};
  constexpr std::string_view letters = "ACGTUMRWSYKVHDBN";
  constexpr BaseSet sets[] = {1, 2, 4, 8, 8, 3, 5, 9, 6, 10, 12, 7, 11, 13, 14, 15};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    table[static_cast<unsigned char>(letters[i])] = sets[i];
    table[static_cast<unsigned char>(letters[i] | 0x20)] = sets[i];
  }
  return table;
}();

}  // namespace

BaseSet iupac_base_set(char letter) {
  return iupac_sets[static_cast<unsigned char>(letter)];
}

BaseSet plain_base_set(char letter) {
  const BaseSet set = iupac_base_set(letter);
  const bool single = (set & (set - 1)) == 0;
  return single ? set : base_sets::none;
}

}  // namespace gsx

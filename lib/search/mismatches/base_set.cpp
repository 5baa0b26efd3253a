#include "search/mismatches/base_set.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace gsx {
namespace {

constexpr auto iupac_sets = [] {
  std::array<BaseSet, 256> table{};
  constexpr std::string_view letters = "ACGTUMRWSYKVHDBNI";
  constexpr BaseSet sets[] = {1, 2, 4, 8, 8, 3, 5, 9, 6, 10, 12, 7, 11, 13, 14, 15, 15};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    table[static_cast<unsigned char>(letters[i])] = sets[i];
    table[static_cast<unsigned char>(letters[i] | 0x20)] = sets[i];
  }
  return table;
}();

/// plain_base_set() without a branch or a table, so that 16 letters are encoded at a time.
BaseSet base_set_of(char letter) {
  const auto upper = static_cast<std::uint8_t>(letter & ~0x20);
  const auto bit = [upper](char base, unsigned set) {
    return static_cast<std::uint8_t>(upper == static_cast<std::uint8_t>(base) ? set : 0);
  };
  return bit('A', 1) | bit('C', 2) | bit('G', 4) | bit('T', 8) | bit('U', 8);
}

}  // namespace

bool is_plain(std::span<const BaseSet> pattern) {
  std::uint8_t odd = 0;  // the high bits for the empty set and must_match, the low ones for several
  for (const BaseSet set : pattern) {
    const auto below = static_cast<std::uint8_t>(set - 1);
    odd |= static_cast<std::uint8_t>((set & below) | ((set | below) & 0xF0));
  }
  return odd == 0;
}

BaseSet iupac_base_set(char letter) {
  return iupac_sets[static_cast<unsigned char>(letter)];
}

BaseSet plain_base_set(char letter) {
  const BaseSet set = iupac_base_set(letter);
  return is_single(set) ? set : base_sets::none;
}

void encode_base_sets(std::string_view letters, bool iupac, BaseSet* sets) {
  if (iupac) {
    std::transform(letters.begin(), letters.end(), sets, iupac_base_set);
  } else {
    std::transform(letters.begin(), letters.end(), sets, base_set_of);
  }
}

}  // namespace gsx

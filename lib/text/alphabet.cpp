#include "text/alphabet.hpp"

#include "base/error.hpp"
#include "base/packed.hpp"

namespace gsx {

std::string_view name_of(SymbolPolicy policy) {
  switch (policy) {
    case SymbolPolicy::dna:
      return "dna";
    case SymbolPolicy::protein:
      return "protein";
    case SymbolPolicy::bytes:
      return "bytes";
  }
  return "?";
}

Alphabet Alphabet::of(SymbolPolicy policy, std::string_view symbols) {
  Alphabet made;
  made.policy_ = policy;
  made.codes_.fill(none);
  std::array<bool, 256> occurs{};
  for (const char c : symbols)
    occurs[static_cast<unsigned char>(c)] = true;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (!occurs[byte]) continue;
    if (made.size_ == none) throw InputError("more than 255 distinct symbols in the input");
    made.codes_[byte] = static_cast<std::uint8_t>(made.size_);
    made.symbols_[made.size_++] = static_cast<char>(byte);
  }
  if (policy != SymbolPolicy::bytes) {
    for (char lower = 'a'; lower <= 'z'; ++lower) {
      made.codes_[static_cast<unsigned char>(lower)] =
          made.codes_[static_cast<unsigned char>(to_upper(lower))];
    }
  }
  return made;
}

Alphabet Alphabet::dna() {
  Alphabet made = of(SymbolPolicy::dna, "ACGT");
  made.codes_['U'] = made.codes_['u'] = made.codes_['T'];
  return made;
}

std::uint32_t Alphabet::bits() const {
  return bits_for(size_ > 0 ? size_ - 1 : 0);
}

SymbolClass dna_class(char symbol) {
  switch (to_upper(symbol)) {
    case 'A':
    case 'C':
    case 'G':
    case 'T':
    case 'U':
      return SymbolClass::base;
    case 'N':
      return SymbolClass::n;
    case 'R':
    case 'Y':
    case 'S':
    case 'W':
    case 'K':
    case 'M':
    case 'B':
    case 'D':
    case 'H':
    case 'V':
      return SymbolClass::iupac;
    case '-':
    case '.':
    case '*':
      return SymbolClass::gap;
    default:
      return SymbolClass::other;
  }
}

}  // namespace gsx

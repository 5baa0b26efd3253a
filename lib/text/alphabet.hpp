// Symbol policies, and the code that stands for each symbol in a text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/export.hpp"

namespace gsx {

/// Which input symbols go into the text. Index files store these values.
enum class SymbolPolicy : std::uint8_t {
  dna = 1,      ///< A C G T; lower case and U (= T) are folded; anything else ends a segment
  protein = 2,  ///< letters A to Z and '*'; lower case is folded; anything else is an error
  bytes = 3,    ///< every byte of a sequence line, unchanged
};

GSX_API std::string_view name_of(SymbolPolicy policy);

/// Maps the symbols of a text to the codes 0 .. size() - 1 and back. Codes are in byte order, so
/// comparing codes compares symbols.
class GSX_API Alphabet {
 public:
  static constexpr std::uint8_t none = 0xFF;

  /// A C G T as 0 1 2 3.
  static Alphabet dna();
  /// The distinct bytes of `symbols`, at most 255 of them, in byte order.
  static Alphabet of(SymbolPolicy policy, std::string_view symbols);

  SymbolPolicy policy() const { return policy_; }
  std::uint32_t size() const { return size_; }
  /// Bits that hold any code; 2 for DNA.
  std::uint32_t bits() const;
  /// Code of a query symbol, in either case where the policy folds case; `none` for a byte that
  /// matches nothing.
  std::uint8_t code(char symbol) const { return codes_[static_cast<unsigned char>(symbol)]; }
  /// Symbol of a code. Pre: code < size().
  char symbol(std::uint64_t code) const { return symbols_[code]; }
  std::string_view symbols() const { return {symbols_.data(), size_}; }
  bool has_reverse_complement() const { return policy_ == SymbolPolicy::dna; }

 private:
  SymbolPolicy policy_ = SymbolPolicy::dna;
  std::uint32_t size_ = 0;
  std::array<std::uint8_t, 256> codes_{};
  std::array<char, 256> symbols_{};
};

/// Code of the complementary base: A - T, C - G. Pre: code < 4.
constexpr std::uint8_t complement(std::uint8_t code) {
  return static_cast<std::uint8_t>(3 - code);
}

/// Upper case of an ASCII letter, any other byte unchanged.
constexpr char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
}

/// Lower case of an ASCII letter, any other byte unchanged.
constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

/// Classes of input bytes. For DNA, they are counted, reported and stored.
enum class SymbolClass : std::uint8_t { base, n, iupac, gap, other };

/// Class of a byte under the DNA policy, in either case: base = ACGTU, n = N, iupac = RYSWKMBDHV,
/// gap = - . *, other = the rest (X, and letters that only proteins have).
GSX_API SymbolClass dna_class(char symbol);

}  // namespace gsx

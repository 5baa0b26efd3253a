// How the symbols of an input are taken.
#pragma once

#include <cstdint>

#include "text/alphabet.hpp"

namespace gsx {

class MemoryLimit;

enum class AmbiguousPolicy : std::uint8_t {
  split,  ///< a symbol that is not A C G T ends a segment and is kept as a run
  error,  ///< it is an InputError
};
enum class SoftMaskPolicy : std::uint8_t {
  fold,   ///< lower case is upper case
  split,  ///< lower-case bases are kept out of the text, like ambiguous ones
  keep,   ///< lower case is upper case in the text, and which letters were lower case is kept
};

struct TextOptions {
  SymbolPolicy alphabet = SymbolPolicy::dna;
  AmbiguousPolicy ambiguous = AmbiguousPolicy::split;
  SoftMaskPolicy soft_mask = SoftMaskPolicy::fold;
  bool guessed = false;  ///< whether the alphabet was guessed, so that others' records are refused
};

struct ReadTextOptions {
  TextOptions text;
  /// Whether text.alphabet is to be replaced by guess_alphabet of the first records.
  bool guess = true;
  int threads = 1;  ///< for inflation, and for reading and packing
  std::uint64_t block_bytes = std::uint64_t{1} << 20;  ///< that a thread reads at a time
  MemoryLimit* memory = nullptr;  ///< asked before the text grows, if there is one
};

}  // namespace gsx

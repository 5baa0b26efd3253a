// How the symbols of an input are taken.
#pragma once

#include <cstdint>

#include "text/alphabet.hpp"

namespace gsx {

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

}  // namespace gsx

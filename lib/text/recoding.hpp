// Alphabets of one policy that differ in their symbols, as those of shards may.
#pragma once

#include <array>
#include <cstdint>

#include "text/alphabet.hpp"

namespace gsx {

/// For each code of `from`, the code of the same symbol in `to`; `none` for one that `to` lacks,
/// and for `none`.
std::array<std::uint8_t, 256> recoding(const Alphabet& from, const Alphabet& to);

/// The alphabet with the symbols of both. Throws InputError for more than 255 symbols. Pre: both
/// have the same policy.
Alphabet joined(const Alphabet& one, const Alphabet& other);

}  // namespace gsx

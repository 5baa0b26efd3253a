#include "output/tracks/value_text.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "output/lines/digits.hpp"

namespace gsx {
namespace {

/// Up to this, every whole number is a float.
constexpr float most_whole = 1 << 24;

char* put_float(char* at, float value) {
  if (std::abs(value) <= most_whole && value == std::trunc(value)) {
    if (value < 0) *at++ = '-';
    return put_number(at, static_cast<std::uint64_t>(std::abs(value)));
  }
  return std::to_chars(at, at + most_value_digits, value).ptr;
}

}  // namespace

char* ValueText::put(char* at, std::uint32_t bits) {
  static_assert(most_value_digits >= most_digits);
  if (kind_ == TrackKind::count) return put_number(at, bits);
  constexpr std::uint32_t golden = 2654435769;  // 2^32 over the golden ratio: spreads the bits
  Known& known = known_[bits * golden >> (32 - slot_bits)];
  if (known.length == 0 || known.bits != bits) {
    const char* end = put_float(at, std::bit_cast<float>(bits));
    known.bits = bits;
    known.length = static_cast<std::uint32_t>(end - at);  // at most 15: -1.1754944e-38
    std::copy_n(at, known.length, known.text.begin());
    return at + known.length;
  }
  std::memcpy(at, known.text.data(), known.text.size());
  return at + known.length;
}

}  // namespace gsx

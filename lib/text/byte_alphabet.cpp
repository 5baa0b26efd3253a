#include "text/byte_alphabet.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/error.hpp"

namespace gsx {

ByteAlphabet::ByteAlphabet(const std::array<bool, 256>& occurs) {
  for (std::size_t byte = 0; byte < occurs.size(); ++byte) {
    if (!occurs[byte]) continue;
    if (size == most_symbols) {
      throw UsageError("a suffix array is built of bytes of at most 255 different values");
    }
    code_of[byte] = static_cast<std::uint8_t>(size);
    byte_of[size++] = static_cast<std::uint8_t>(byte);
  }
}

std::uint32_t ByteAlphabet::bits() const {
  return bits_for(std::max(1u, size == 0 ? 0 : size - 1));
}

}  // namespace gsx

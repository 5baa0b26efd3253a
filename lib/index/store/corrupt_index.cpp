#include "index/store/corrupt_index.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx {

void throw_corrupt_index(const std::string& path, const std::string& why) {
  throw CorruptIndexError("index '" + printable(path) + "' is corrupt: " + why +
                          "; copy it again or rebuild it with gsx index");
}

bool is_zero(std::span<const std::uint8_t> bytes) {
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

bool is_zero_padded(std::span<const char> field) {
  const auto end = std::ranges::find(field, '\0');
  return end != field.end() && std::all_of(end, field.end(), [](char c) { return c == 0; }) &&
         std::all_of(field.begin(), end, [](char c) { return c > ' ' && c < 0x7F; });
}

}  // namespace gsx

#include "base/byte_text.hpp"

#include <spdlog/fmt/fmt.h>

#include <string_view>

namespace gsx {

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " bytes";
  constexpr std::string_view letters = "kMGT";
  std::uint64_t unit = 1000;
  std::size_t letter = 0;
  while (letter + 1 < letters.size() && bytes / unit >= 1000) {
    unit *= 1000;
    ++letter;
  }
  return fmt::format("{:.1f} {}B", static_cast<double>(bytes) / static_cast<double>(unit),
                     letters[letter]);
}

std::string bytes_text(std::uint64_t bytes) {
  const std::string text = size_text(bytes);
  return bytes < 1000 ? text : std::to_string(bytes) + " bytes (" + text + ")";
}

std::string memory_shortage(const std::string& use, std::uint64_t bytes,
                            const std::string& limited_by, std::uint64_t limit, const char* scope) {
  return "too little memory: " + use + " takes at least " + bytes_text(bytes) + scope + ", and " +
         limited_by + " allows " + bytes_text(limit);
}

}  // namespace gsx

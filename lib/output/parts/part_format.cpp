#include "output/parts/part_format.hpp"

#include <xxhash.h>

namespace gsx {

std::uint64_t frame_sum(std::string_view frame, std::uint64_t number) {
  return XXH3_64bits_withSeed(frame.data(), frame.size(), number);
}

std::uint32_t symbols_sum(std::string_view symbols) {
  return static_cast<std::uint32_t>(XXH3_64bits(symbols.data(), symbols.size()));
}

}  // namespace gsx

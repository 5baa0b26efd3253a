#include "base/copy_past_caches.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace gsx {

void copy_past_caches(void* to, const void* from, std::size_t bytes) {
#ifdef __SSE2__
  constexpr std::size_t line = 64;
  auto* target = static_cast<std::uint8_t*>(to);
  const auto* source = static_cast<const std::uint8_t*>(from);
  const std::size_t before =
      std::min<std::size_t>(bytes, -reinterpret_cast<std::uintptr_t>(target) % line);
  std::memcpy(target, source, before);
  std::size_t at = before;
  for (; at + line <= bytes; at += line) {  // whole lines only: others would be read after all
    for (std::size_t k = 0; k < line; k += sizeof(__m128i))
      _mm_stream_si128(reinterpret_cast<__m128i*>(target + at + k),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + at + k)));
  }
  std::memcpy(target + at, source + at, bytes - at);
#else
  std::memcpy(to, from, bytes);
#endif
}

void finish_copies_past_caches() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace gsx

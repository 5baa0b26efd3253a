// Packs codes of DNA as a text is packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace gsx {
namespace packing_detail {

using Lanes8 = std::uint8_t __attribute__((vector_size(16)));
using Lanes16 = std::uint16_t __attribute__((vector_size(16)));
using Lanes32 = std::uint32_t __attribute__((vector_size(16)));
using Lanes64 = std::uint64_t __attribute__((vector_size(16)));

/// 16 codes below 4 in 32 bits, which hold them in memory's order of bytes: neighbours are joined,
/// then pairs, then fours.
inline __attribute__((always_inline)) std::uint32_t pack_16(Lanes8 codes) {
  auto pairs = reinterpret_cast<Lanes16>(codes);
  pairs = (pairs << 2 | pairs >> 8) & 0x0F;
  auto fours = reinterpret_cast<Lanes32>(pairs);
  fours = (fours << 4 | fours >> 16) & 0xFF;
  auto eights = reinterpret_cast<Lanes64>(fours);
  eights = (eights | eights >> 24) & 0xFFFF;
  return static_cast<std::uint32_t>(eights[0] | eights[1] << 16);
}

}  // namespace packing_detail

/// 32 codes below 4 as one number, the first code in the highest bits.
inline __attribute__((always_inline)) std::uint64_t pack_32_bases(const std::uint8_t* codes) {
  packing_detail::Lanes8 first, last;
  std::memcpy(&first, codes, sizeof first);
  std::memcpy(&last, codes + sizeof first, sizeof last);
  const std::uint64_t packed =
      packing_detail::pack_16(first) | std::uint64_t{packing_detail::pack_16(last)} << 32;
  return __builtin_bswap64(packed);
}

/// Bytes that pack_bases() writes for so many codes.
inline std::uint64_t packed_bases_bytes(std::uint64_t codes) {
  return (codes + 15) / 16 * 4;
}

/// Writes codes of DNA with 2 bits each, as PackedView reads them, and calls foreign(i) for each
/// code i that is not below 4, in order; what is packed in its place is unspecified.
/// Cost: one pass, 16 codes per step.
template <class Foreign>
void pack_bases(std::span<const std::uint8_t> codes, std::uint8_t* out, const Foreign& foreign) {
  using packing_detail::Lanes8;
  constexpr std::size_t width = sizeof(Lanes8);
  const auto pack = [&](std::size_t at, const std::uint8_t* from, std::size_t count) {
    std::uint64_t halves[2];
    std::memcpy(halves, from, width);
    if (((halves[0] | halves[1]) & 0xFCFCFCFCFCFCFCFC) != 0) {
      for (std::size_t i = 0; i < count; ++i)
        if (from[i] > 3) foreign(at + i);
    }
    Lanes8 lanes;
    std::memcpy(&lanes, from, width);
    const std::uint32_t packed = packing_detail::pack_16(lanes & 3);
    std::memcpy(out + at / 4, &packed, sizeof packed);
  };
  std::size_t at = 0;
  for (; at + width <= codes.size(); at += width)
    pack(at, codes.data() + at, width);
  if (at == codes.size()) return;
  std::uint8_t rest[width] = {};
  std::memcpy(rest, codes.data() + at, codes.size() - at);
  pack(at, rest, codes.size() - at);
}

}  // namespace gsx

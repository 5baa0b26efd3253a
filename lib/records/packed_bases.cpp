#include "records/packed_bases.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/base_packing.hpp"
#include "records/base_codes.hpp"

namespace gsx {
namespace {

constexpr std::size_t group_bytes = 8;

/// Packs 32 symbols; returns which are no bases.
std::uint32_t pack_group(const char* symbols, std::uint8_t* out) {
  std::uint8_t codes[PackedBases::group];
  std::uint32_t foreign = 0;
  for (std::size_t at = 0; at < sizeof codes; at += sizeof(ByteLanes)) {
    ByteLanes lanes;
    std::memcpy(&lanes, symbols + at, sizeof lanes);
    lanes = base_codes(lanes);
    std::uint64_t halves[2];
    std::memcpy(halves, &lanes, sizeof halves);
    const bool all_bases = ((halves[0] | halves[1]) & 0x8080808080808080) == 0;
    for (std::size_t i = 0; !all_bases && i < sizeof lanes; ++i)
      foreign |= static_cast<std::uint32_t>(lanes[i] >> 7) << (at + i);
    lanes &= 3;
    std::memcpy(codes + at, &lanes, sizeof lanes);
  }
  const std::uint64_t packed = __builtin_bswap64(pack_32_bases(codes));
  std::memcpy(out, &packed, sizeof packed);
  return foreign;
}

/// Calls foreign(number, mask) for each of `count` groups with symbols that are no bases.
template <class Foreign>
void pack_groups(const char* symbols, std::size_t count, std::uint8_t* out,
                 const Foreign& foreign) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t mask = pack_group(symbols + 32 * i, out + group_bytes * i);
    if (mask != 0) foreign(i, mask);
  }
}

#ifdef __x86_64__
/// Packs groups with AVX2: codes are joined to pairs, and these to fours, a byte of which is in 4
/// bytes.
template <class Foreign>
__attribute__((target("avx2"))) void pack_groups_avx2(const char* symbols, std::size_t count,
                                                      std::uint8_t* out, const Foreign& foreign) {
  const __m256i to_pairs = _mm256_set1_epi16(0x0104), to_fours = _mm256_set1_epi32(0x00010010);
  const __m256i lowest = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
  for (std::size_t i = 0; i < count; ++i) {
    const BaseCodes32 group = base_codes_32(symbols + 32 * i);
    const __m256i pairs = _mm256_maddubs_epi16(group.codes, to_pairs);
    const __m256i fours = _mm256_shuffle_epi8(_mm256_madd_epi16(pairs, to_fours), lowest);
    const std::uint32_t halves[2] = {static_cast<std::uint32_t>(_mm256_extract_epi32(fours, 0)),
                                     static_cast<std::uint32_t>(_mm256_extract_epi32(fours, 4))};
    std::memcpy(out + group_bytes * i, halves, group_bytes);
    const auto mask = ~static_cast<std::uint32_t>(_mm256_movemask_epi8(group.bases));
    if (mask != 0) foreign(i, mask);
  }
}
#endif

template <class Foreign>
void pack_groups(const char* symbols, std::size_t count, std::uint8_t* out,
                 [[maybe_unused]] CpuPath path, const Foreign& foreign) {
#ifdef __x86_64__
  if (path == CpuPath::avx2) return pack_groups_avx2(symbols, count, out, foreign);
#endif
  pack_groups(symbols, count, out, foreign);
}

}  // namespace

void PackedBases::shorten(std::uint64_t size) {
  packed_ = std::min(packed_, size / group * group);
  size_ = packed_;
  while (!foreign_.empty() && foreign_.back().begin >= packed_)
    foreign_.pop_back();
  if (foreign_.empty()) return;
  Foreign& last = foreign_.back();
  last.count =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(last.count, packed_ - last.begin));
}

/// Adds those of a group.
void PackedBases::add_foreign(std::uint64_t begin, std::uint32_t mask, const char* symbols) {
  for (; mask != 0; mask &= mask - 1) {
    const auto at = static_cast<std::uint32_t>(std::countr_zero(mask));
    if (!foreign_.empty()) {
      Foreign& last = foreign_.back();
      if (last.symbol == symbols[at] && last.begin + last.count == begin + at &&
          last.count != ~std::uint32_t{0}) {
        ++last.count;
        continue;
      }
    }
    foreign_.push_back({begin + at, 1, symbols[at]});
  }
}

void PackedBases::take(std::string_view symbols, std::uint64_t first, CpuPath path) {
  if (!kept_) return;
  shorten(first + symbols.size());  // what finish() added is packed again
  const std::uint64_t begin = packed_;
  symbols.remove_prefix(begin - first);
  const std::uint64_t groups = symbols.size() / group;
  if (groups == 0) return;
  bytes_.resize((begin / group + groups) * group_bytes);
  pack_groups(symbols.data(), groups, bytes_.data() + begin / group * group_bytes, path,
              [&](std::size_t i, std::uint32_t mask) {
                add_foreign(begin + i * group, mask, symbols.data() + i * group);
              });
  size_ = packed_ = begin + groups * group;
}

void PackedBases::finish(std::string_view symbols, std::uint64_t first, CpuPath path) {
  if (!kept_) return;
  take(symbols, first, path);
  char rest[group];
  std::memset(rest, 'A', sizeof rest);
  symbols.copy(rest, sizeof rest, packed_ - first);
  bytes_.resize(packed_ / group * group_bytes);
  bytes_.resize(bytes_.size() + group_bytes + PackedView::slack);
  pack_groups(rest, 1, bytes_.data() + packed_ / group * group_bytes, path,
              [&](std::size_t, std::uint32_t mask) { add_foreign(packed_, mask, rest); });
  size_ = first + symbols.size();
}

}  // namespace gsx

#include "search/mismatches/bit_block.hpp"

#include <algorithm>
#include <cstring>

#include "search/mismatches/base_bits.hpp"
#include "search/mismatches/lanes.hpp"

namespace gsx {
namespace {

constexpr std::size_t border_set = 16;  // whose planes come behind those of the sets of bases
constexpr std::size_t plane_bytes = (border_set + 1) * 8 * BitBlock::stride;

GSX_HD void split_all(const std::uint8_t* packed, BitBlock::Bits& lower, BitBlock::Bits& upper) {
  for (std::size_t i = 0; i < lower.size(); ++i) {
    std::uint64_t word;
    std::memcpy(&word, packed + i * 8, sizeof word);
    split_codes(word, lower[i], upper[i]);
  }
}

/// 64 positions in each number of a word, from a position of the block on.
template <class Word>
GSX_HD void shifted(Word& word, const BitBlock::Bits& bits, std::size_t byte, int shift) {
  const auto* from = reinterpret_cast<const std::uint8_t*>(bits.data()) + byte;
  load_lanes(word, from);
  if (shift == 0) return;
  Word next;
  load_lanes(next, from + 8);
  word = word >> shift | next << (64 - shift);
}

template <class Lanes>
GSX_HD void make_base_planes(const BitBlock::Bits& lower, const BitBlock::Bits& upper,
                             SetsUsed sets, std::uint8_t* planes) {
  using Word = typename Lanes::Word;
  constexpr std::size_t set_stride = 8 * BitBlock::stride;
  BaseSet mixed[16];  // sets of several bases
  std::size_t mixed_count = 0;
  for (BaseSet set = 1; set < base_sets::any; ++set)
    if ((sets >> set & 1) != 0 && (set & (set - 1)) != 0) mixed[mixed_count++] = set;
  for (int shift = 0; shift < 8; ++shift) {
    for (std::size_t at = 0; at < BitBlock::words * 8; at += sizeof(Word)) {
      Word low, high;
      shifted(low, lower, at, shift);
      shifted(high, upper, at, shift);
      const Word a = low | high, c = ~low | high, g = low | ~high, t = ~(low & high);
      std::uint8_t* const to = planes + static_cast<std::size_t>(shift) * BitBlock::stride + at;
      store_lanes(to + set_stride * 1, a);
      store_lanes(to + set_stride * 2, c);
      store_lanes(to + set_stride * 4, g);
      store_lanes(to + set_stride * 8, t);
      for (std::size_t i = 0; i < mixed_count; ++i) {
        Word all = ~(low ^ low);
        if (has_base(mixed[i], 0)) all &= a;
        if (has_base(mixed[i], 1)) all &= c;
        if (has_base(mixed[i], 2)) all &= g;
        if (has_base(mixed[i], 3)) all &= t;
        store_lanes(to + set_stride * mixed[i], all);
      }
    }
  }
}

template <class Lanes>
GSX_HD void make_border_planes(const BitBlock::Bits& borders, std::uint8_t* planes) {
  using Word = typename Lanes::Word;
  for (int shift = 0; shift < 8; ++shift) {
    for (std::size_t at = 0; at < BitBlock::words * 8; at += sizeof(Word)) {
      Word word;
      shifted(word, borders, at, shift);
      store_lanes(
          planes + (border_set * 8 + static_cast<std::size_t>(shift)) * BitBlock::stride + at,
          word);
    }
  }
}

/// Excludes the positions at which one of the next [from, to) positions is a border.
template <class Lanes>
GSX_HD void exclude_borders(const std::uint8_t* planes, std::size_t from, std::size_t to,
                            std::size_t bytes, std::uint8_t* excluded) {
  using Word = typename Lanes::Word;
  for (std::size_t at = 0; at < bytes; at += sizeof(Word)) {
    Word all, one;
    load_lanes(all, excluded + at);
    for (std::size_t i = from; i < to; ++i) {
      load_lanes(one, planes + (border_set * 8 + i % 8) * BitBlock::stride + i / 8 + at);
      all |= one;
    }
    store_lanes(excluded + at, all);
  }
}

void make_planes_baseline(const std::uint8_t* packed, BitBlock::Bits& lower, BitBlock::Bits& upper,
                          SetsUsed sets, std::uint8_t* planes) {
  split_all(packed, lower, upper);
  make_base_planes<BaselineLanes>(lower, upper, sets, planes);
}
#ifdef __x86_64__
GSX_TARGET_AVX2 void make_planes_avx2(const std::uint8_t* packed, BitBlock::Bits& lower,
                                      BitBlock::Bits& upper, SetsUsed sets, std::uint8_t* planes) {
  split_all(packed, lower, upper);
  make_base_planes<Avx2Lanes>(lower, upper, sets, planes);
}
#endif

}  // namespace

BitBlock::BitBlock(const TextView& text) : text_(text), planes_(plane_bytes, "planes of a text") {
  std::memset(planes_.data(), 0, plane_bytes);
}

void BitBlock::load(std::uint64_t begin, SetsUsed sets, CpuPath path) {
  begin_ = begin;
  const std::uint64_t left = text_.length() - begin;
  size_ = static_cast<std::size_t>(std::min<std::uint64_t>(positions, (left + 255) / 256 * 256));

  std::uint8_t packed[sizeof(std::uint64_t) * std::tuple_size_v<Bits>] = {};
  const std::uint64_t held = PackedView::bytes_for(text_.length(), text_.symbols.bits) - begin / 4;
  std::memcpy(packed, text_.symbols.bytes + begin / 4,
              std::min<std::uint64_t>(sizeof packed, held));
#ifdef __x86_64__
  if (path == CpuPath::avx2) {
    make_planes_avx2(packed, lower_, upper_, sets, planes_.data());
  } else
#endif
  {
    make_planes_baseline(packed, lower_, upper_, sets, planes_.data());
  }
  const bool was_bordered = bordered_;
  bordered_ = mark_borders();
  if (bordered_) make_border_planes<BaselineLanes>(borders_, planes_.data());
  if (bordered_ || was_bordered) excluded_.fill(0);
  excluded_length_ = 0;
}

/// Marks the borders in reach in borders_; whether there are any.
bool BitBlock::mark_borders() {
  const std::uint64_t end = begin_ + words * 64;
  const SegmentsView& segments = text_.segments;
  std::uint64_t segment = segments.segment_at(begin_);
  if (segments.starts[segment + 1] - 1 >= end) return false;
  borders_.fill(0);
  const auto mark = [&](std::uint64_t position) {
    borders_[(position - begin_) / 32] |= std::uint32_t{1} << (position - begin_) % 32;
  };
  for (; segment < segments.count && segments.starts[segment + 1] - 1 < end; ++segment)
    mark(segments.starts[segment + 1] - 1);
  for (std::uint64_t position = text_.length(); position < end; ++position)
    mark(position);
  return true;
}

void BitBlock::exclude(std::uint64_t length) {
  const auto to = static_cast<std::size_t>(std::min<std::uint64_t>(length, reach));
  if (!bordered_ || to == excluded_length_) return;
  exclude_borders<BaselineLanes>(planes_.data(), excluded_length_, to, size_ / 8, excluded_.data());
  excluded_length_ = to;
}

}  // namespace gsx

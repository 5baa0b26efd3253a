#include "arrays/packing/interleaved_codec.hpp"

#include <algorithm>
#include <cstring>

#include "base/bits.hpp"
#include "base/compiled_for.hpp"

namespace gsx {
namespace {

constexpr std::uint32_t lanes = InterleavedView::lanes, word_bits = InterleavedView::word_bits;

/// Words of as many lanes as a vector of AVX2 has.
constexpr std::uint32_t side_by_side = 8;
using Words = std::uint32_t __attribute__((vector_size(side_by_side * sizeof(std::uint32_t))));

/// Packs `rows` rows of a block, of which each lane has a value: its lower and, if b > 32, upper
/// bits.
GSX_HD void pack_rows(const std::uint32_t* low, const std::uint32_t* high, std::uint64_t rows,
                      std::uint32_t bits, std::uint32_t* out) {
  for (std::uint32_t lane = 0; lane < lanes; lane += side_by_side) {
    InterleavedWriter<Words> writer(reinterpret_cast<Words*>(out + lane), lanes / side_by_side);
    for (std::uint64_t at = lane; at < rows * lanes; at += lanes) {
      Words words;
      std::memcpy(&words, low + at, sizeof words);
      writer.push(words, std::min(bits, word_bits));
      if (bits <= word_bits) continue;
      std::memcpy(&words, high + at, sizeof words);
      writer.push(words, bits - word_bits);
    }
    writer.finish();
  }
}

/// Packs a block, or the first `count` values of one.
template <class Value>
GSX_HD void pack_block(const Value* values, std::uint64_t count, std::uint32_t bits,
                       std::uint32_t* out) {
  constexpr std::uint64_t block = InterleavedView::block;
  std::uint32_t low[block], high[block];
  const std::uint64_t rows = divide_up(count, lanes);
  for (std::uint64_t i = 0; i < count; ++i)
    low[i] = static_cast<std::uint32_t>(values[i]);
  std::fill(low + count, low + rows * lanes, 0);
  if (bits > word_bits) {
    for (std::uint64_t i = 0; i < count; ++i)
      high[i] = static_cast<std::uint32_t>(std::uint64_t{values[i]} >> word_bits);
    std::fill(high + count, high + rows * lanes, 0);
  }
  pack_rows(low, high, rows, bits, out);
}

template <class Value>
GSX_HD void pack_blocks(const Value* values, std::uint64_t count, std::uint32_t bits,
                        std::uint32_t* out) {
  constexpr std::uint64_t block = InterleavedView::block;
  for (; count >= block; count -= block, values += block, out += lanes * bits)
    pack_block(values, block, bits, out);
  pack_block(values, count, bits, out);
}

/// The words of all lanes that hold a bit.
GSX_HD const std::uint32_t* row_of(const std::uint32_t* block, std::uint32_t bit) {
  return block + bit / word_bits * lanes;
}

/// Writes the values [first, first + lanes). Pre: first is a multiple of `lanes`.
template <class Value>
GSX_HD void unpack_row(const InterleavedView& packed, std::uint64_t first, Value* __restrict out) {
  const std::uint32_t* block = packed.words + packed.first_word(first);
  const std::uint32_t bit = packed.first_bit(first), shift = bit % word_bits;
  const std::uint32_t *low = row_of(block, bit), *end = row_of(block, bit + packed.bits - 1);
  if (packed.bits <= word_bits) {
    const std::uint32_t mask = low_mask32(packed.bits);
    for (std::uint32_t l = 0; l < lanes; ++l)
      out[l] = static_cast<Value>(InterleavedView::joined(low[l], end[l], shift) & mask);
    return;
  }
  const std::uint32_t mask = low_mask32(packed.bits - word_bits);
  const std::uint32_t *middle = row_of(block, bit + word_bits - 1),
                      *high = row_of(block, bit + word_bits);
  for (std::uint32_t l = 0; l < lanes; ++l) {
    const std::uint64_t upper = InterleavedView::joined(high[l], end[l], shift) & mask;
    const std::uint32_t lower = InterleavedView::joined(low[l], middle[l], shift);
    out[l] = static_cast<Value>(upper << word_bits | lower);
  }
}

template <class Value>
GSX_HD void unpack_range(const InterleavedView& packed, std::uint64_t first, std::uint64_t count,
                         Value* out) {
  for (; count > 0 && first % lanes != 0; --count)
    *out++ = static_cast<Value>(packed[first++]);
  for (; count >= lanes; count -= lanes, first += lanes, out += lanes)
    unpack_row(packed, first, out);
  for (; count > 0; --count)
    *out++ = static_cast<Value>(packed[first++]);
}

}  // namespace

template <class Value>
void pack_interleaved(const Value* values, std::uint64_t count, std::uint32_t bits,
                      std::uint32_t* out, CpuPath path) {
  compiled_for<pack_blocks<Value>>(path)(values, count, bits, out);
}

template <class Value>
void unpack_values(const InterleavedView& packed, std::uint64_t first, std::span<Value> out,
                   CpuPath path) {
  compiled_for<unpack_range<Value>>(path)(packed, first, out.size(), out.data());
}

#define GSX_INTERLEAVED(Value)                                                               \
  template void pack_interleaved(const Value*, std::uint64_t, std::uint32_t, std::uint32_t*, \
                                 CpuPath);                                                   \
  template void unpack_values(const InterleavedView&, std::uint64_t, std::span<Value>, CpuPath);
GSX_INTERLEAVED(std::uint8_t)
GSX_INTERLEAVED(std::uint16_t)
GSX_INTERLEAVED(std::uint32_t)
GSX_INTERLEAVED(std::uint64_t)
#undef GSX_INTERLEAVED

}  // namespace gsx

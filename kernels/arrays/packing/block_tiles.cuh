// A block of packed integers in shared memory, and its values.
#pragma once

#include <cstdint>
#include <cstring>

#include "arrays/packing/interleaved_view.hpp"
#include "base/packed.hpp"
#include "kernels/arrays/packing/packing_shape.hpp"
#include "kernels/arrays/packing/stream_word.cuh"

namespace gsx::cuda::packing {

/// The integers that a thread writes at a time: 16 bytes of them, neighbours.
template <class Value>
inline constexpr unsigned per_vector = 16 / sizeof(Value);

/// Words of shared memory that a block of values takes: its own, and some that a tile may read and
/// not use.
GSX_HD std::uint32_t tile_words(std::uint32_t bits) {
  return lanes * bits + 4;
}

/// The block's words as the plain stream has them, each with its first bit highest.
struct StreamTile {
  using View = PackedView;
  const std::uint32_t* words;
  std::uint32_t bits;

  static const void* memory(const View& packed) { return packed.bytes; }
  /// Vectors of 16 bytes from which all values can be read, slack included.
  static std::uint64_t vectors(const View& packed) {
    return (packed.size * packed.bits + 127) / 128;
  }
  __device__ static std::uint32_t loaded(std::uint32_t word) { return reversed(word); }

  /// Values [i, i + n) of the block.
  template <unsigned n, class Value>
  __device__ void read(std::uint32_t i, Value (&values)[n]) const {
#pragma unroll
    for (unsigned k = 0; k < n; ++k)
      values[k] = static_cast<Value>(value(i + k));
  }
  __device__ std::uint64_t value(std::uint32_t i) const {
    const std::uint32_t bit = i * bits, shift = bit % 32;
    const std::uint32_t* from = words + bit / 32;
    const std::uint32_t upper = joined(from[0], from[1], shift);
    if (bits <= 32) return upper >> (32 - bits);
    return (std::uint64_t{upper} << 32 | joined(from[1], from[2], shift)) >> (64 - bits);
  }

 private:
  /// The upper half of high:low << shift.
  __device__ static std::uint32_t joined(std::uint32_t high, std::uint32_t low,
                                         std::uint32_t shift) {
    return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) << shift >> 32);
  }
};

/// The block's words as they are: those of 32 lanes side by side.
struct InterleavedTile {
  using View = InterleavedView;
  const std::uint32_t* words;
  std::uint32_t bits;

  static const void* memory(const View& packed) { return packed.words; }
  static std::uint64_t vectors(const View& packed) {
    return View::words_for(packed.size, packed.bits) / 4;
  }
  __device__ static std::uint32_t loaded(std::uint32_t word) { return word; }

  /// Values [i, i + n) of the block. Pre: n divides i, and 32: they are of one row, with the same
  /// bits of words side by side.
  template <unsigned n, class Value>
  __device__ void read(std::uint32_t i, Value (&values)[n]) const {
    constexpr unsigned some = n < 4 ? n : 4;
    const std::uint32_t bit = i / lanes * bits, shift = bit % 32;
    const std::uint32_t narrow = bits < 32 ? bits : 32;
#pragma unroll
    for (unsigned k = 0; k < n; k += some) {
      const std::uint32_t* lane = words + i % lanes + k;
      std::uint32_t low[some], end[some];
      load(row(lane, bit), low);
      load(row(lane, bit + narrow - 1), end);
      std::uint32_t lower[some];
#pragma unroll
      for (unsigned j = 0; j < some; ++j)
        lower[j] = joined(low[j], end[j], shift) & low_mask32(narrow);
      if (sizeof(Value) <= 4 || bits <= 32) {
#pragma unroll
        for (unsigned j = 0; j < some; ++j)
          values[k + j] = static_cast<Value>(lower[j]);
        continue;
      }
      load(row(lane, bit + 32), low);
      load(row(lane, bit + bits - 1), end);
#pragma unroll
      for (unsigned j = 0; j < some; ++j) {
        const std::uint64_t upper = joined(low[j], end[j], shift) & low_mask32(bits - 32);
        values[k + j] = static_cast<Value>(upper << 32 | lower[j]);
      }
    }
  }

 private:
  __device__ static const std::uint32_t* row(const std::uint32_t* lane, std::uint32_t bit) {
    return lane + bit / 32 * lanes;
  }
  /// Words side by side, at once.
  template <unsigned n>
  __device__ static void load(const std::uint32_t* from, std::uint32_t (&to)[n]) {
    if constexpr (n == 4) {
      const uint4 vector = *reinterpret_cast<const uint4*>(from);
      std::memcpy(to, &vector, sizeof to);
    } else if constexpr (n == 2) {
      const uint2 vector = *reinterpret_cast<const uint2*>(from);
      std::memcpy(to, &vector, sizeof to);
    } else {
      to[0] = *from;
    }
  }
  /// The lower half of high:low >> shift.
  __device__ static std::uint32_t joined(std::uint32_t low, std::uint32_t high,
                                         std::uint32_t shift) {
    return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> shift);
  }
};

}  // namespace gsx::cuda::packing

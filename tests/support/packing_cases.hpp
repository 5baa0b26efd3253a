// Packed layouts as their definitions say, bit by bit, and arrays to pack.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arrays/packing/interleaved_view.hpp"
#include "base/cpu_path.hpp"
#include "base/packed.hpp"
#include "support/texts.hpp"

namespace gsx::testing {

inline std::vector<CpuPath> packing_paths() {
  if (best_cpu_path() == CpuPath::baseline) return {CpuPath::baseline};
  return {CpuPath::baseline, best_cpu_path()};
}

/// Random numbers of at most `bits` bits. Some are 0, and some the largest.
template <class Value>
std::vector<Value> packable_values(Random& random, std::uint64_t size, std::uint32_t bits) {
  const std::uint64_t most = ~std::uint64_t{0} >> (64 - bits);
  std::vector<Value> values(size);
  for (Value& value : values) {
    const std::uint64_t kind = random() % 8;
    value = static_cast<Value>(kind == 0 ? 0 : kind == 1 ? most : random() & most);
  }
  return values;
}

/// The bytes of a plain stream, without what may be read behind it.
template <class Value>
std::vector<std::uint8_t> naive_stream(const std::vector<Value>& values, std::uint32_t bits) {
  std::vector<std::uint8_t> bytes((values.size() * bits + 7) / 8);
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    for (std::uint32_t k = 0; k < bits; ++k) {  // from the highest bit on
      const std::uint64_t at = i * bits + k;
      const std::uint64_t bit = std::uint64_t{values[i]} >> (bits - 1 - k) & 1;
      bytes[at / 8] = static_cast<std::uint8_t>(bytes[at / 8] | bit << (7 - at % 8));
    }
  }
  return bytes;
}

/// The words of an interleaved array.
template <class Value>
std::vector<std::uint32_t> naive_interleaved(const std::vector<Value>& values, std::uint32_t bits) {
  std::vector<std::uint32_t> words;
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    const std::uint64_t block = i / 1024, lane = i % 32, row = i % 1024 / 32;
    for (std::uint32_t k = 0; k < bits; ++k) {  // from the lowest bit on
      const std::uint64_t at = row * bits + k;
      const std::uint64_t word = block * 32 * bits + at / 32 * 32 + lane;
      if (words.size() <= word) words.resize(word / 32 * 32 + 32);
      words[word] |= static_cast<std::uint32_t>(std::uint64_t{values[i]} >> k & 1) << at % 32;
    }
  }
  return words;
}

}  // namespace gsx::testing

// Sorting by some bits of the keys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace gsx::emulation {

/// In which order, equal keys as they are, the keys are sorted by their bits [begin, end).
template <class Key>
std::vector<std::size_t> sorted_order(const Key* keys, std::size_t size, int begin, int end) {
  static_assert(std::is_unsigned_v<Key>);
  constexpr unsigned digit_bits = 8;
  std::vector<std::size_t> order(size), other(size);
  for (std::size_t i = 0; i < size; ++i)
    order[i] = i;
  for (int bit = begin; bit < end; bit += static_cast<int>(digit_bits)) {
    const auto width = static_cast<unsigned>(end - bit) < digit_bits
                           ? static_cast<unsigned>(end - bit)
                           : digit_bits;
    const auto digit = [&](std::size_t i) {
      return static_cast<std::size_t>(keys[i] >> bit) & ((std::size_t{1} << width) - 1);
    };
    std::array<std::size_t, (1 << digit_bits) + 1> places{};
    for (std::size_t i = 0; i < size; ++i)
      ++places[digit(i) + 1];
    for (std::size_t d = 0; d < 1 << digit_bits; ++d)
      places[d + 1] += places[d];
    for (const std::size_t i : order)
      other[places[digit(i)]++] = i;
    order.swap(other);
  }
  return order;
}

/// Whether that takes an odd number of passes, after which the other buffer has the result.
inline bool swaps_buffers(int begin, int end) {
  return (end - begin + 7) / 8 % 2 != 0;
}

}  // namespace gsx::emulation

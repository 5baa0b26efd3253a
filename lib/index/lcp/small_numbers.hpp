// Numbers of which most are below 255, in little more than a byte each.
#pragma once

#include <cstdint>
#include <utility>

#include "base/buffer.hpp"
#include "base/export.hpp"
#include "base/host_device.hpp"
#include "index/sa/suffix_array.hpp"

namespace gsx {

/// One byte per number, and the numbers that no byte can hold apart, in their order; W has 32 or 64
/// bits.
template <class W>
struct SmallNumbersView {
  const std::uint8_t* bytes = nullptr;    ///< [size]; `escape` stands for a value of at least that
  const std::uint64_t* before = nullptr;  ///< [size / block + 1] escapes before each block
  const W* large = nullptr;               ///< [number of escapes]
  std::uint64_t size = 0;

  static constexpr std::uint8_t escape = 255;
  static constexpr std::uint64_t block = 256;

  /// The value of number i. Cost: one load where it is below 255, else up to 255 bytes and two
  /// more.
  GSX_HD std::uint64_t operator[](std::uint64_t i) const {
    return bytes[i] != escape ? bytes[i] : large[escapes_before(i)];
  }
  /// Escapes among numbers [0, i). Pre: i <= size.
  GSX_HD std::uint64_t escapes_before(std::uint64_t i) const {
    std::uint64_t found = before[i / block];
    for (std::uint64_t j = i / block * block; j < i; ++j)
      found += bytes[j] == escape ? 1 : 0;
    return found;
  }
};

/// Owns n numbers. Memory: 1.03 bytes each, and 4 or 8 bytes more for each of 255 and more.
class GSX_API SmallNumbers {
 public:
  static constexpr std::uint8_t escape = 255;

  /// What SmallNumbersView refers to. The numbers in `large` are those of a PositionArray.
  SmallNumbers(Buffer<std::uint8_t> bytes, PositionArray large, int threads);

  std::uint64_t size() const { return bytes_.size(); }
  /// The largest of them, 0 if there are none. Cost: a pass over the large ones, or the bytes.
  std::uint64_t largest() const;
  /// Calls visitor(SmallNumbersView) with values of 32 or 64 bits.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return large_.visit([&]<class W>(const W* large) -> decltype(auto) {
      return visitor(SmallNumbersView<W>{bytes_.data(), before_.data(), large, bytes_.size()});
    });
  }
  std::uint64_t operator[](std::uint64_t i) const {
    return visit([i](const auto& view) { return view[i]; });
  }
  /// Calls on_value(i, value) for i of [begin, end), in order. Cost: 1 ns per number.
  template <class OnValue>
  void for_each(std::uint64_t begin, std::uint64_t end, const OnValue& on_value) const {
    visit([&]<class W>(const SmallNumbersView<W>& view) {
      const W* large = begin < end ? view.large + view.escapes_before(begin) : view.large;
      for (std::uint64_t i = begin; i < end; ++i) {
        const std::uint8_t byte = view.bytes[i];
        on_value(i, byte != view.escape ? std::uint64_t{byte} : std::uint64_t{*large++});
      }
    });
  }

 private:
  Buffer<std::uint8_t> bytes_;
  Buffer<std::uint64_t> before_;
  PositionArray large_;
};

}  // namespace gsx

// Owner and builder of a hierarchy of range minima.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "arrays/minima/range_minima_view.hpp"
#include "base/buffer.hpp"
#include "base/export.hpp"

namespace gsx {

/// A hierarchy of minima over an array that it does not own. Can only be moved. Exists for unsigned
/// integers of 8, 16, 32 and 64 bits.
template <class Value>
class GSX_API RangeMinima {
  static_assert(std::is_unsigned_v<Value>);

 public:
  RangeMinima() = default;
  /// Pre: `values` stay as they are while this is used. `threads` is 0 for as many as this process
  /// may run. Throws ResourceError. Memory: that of RangeMinimaView. Cost: one pass over the array.
  explicit RangeMinima(std::span<const Value> values, int threads = 0);
  explicit RangeMinima(std::vector<Value>&&, int = 0) = delete;  ///< which would be gone at once

  /// For an array whose values are yet to come: fill() all of it, then finish().
  struct Unfilled {};
  RangeMinima(std::span<const Value> values, Unfilled);
  /// Parts that are cut at multiples of this may be filled by different threads at the same time.
  static constexpr std::uint64_t fill_unit = std::uint64_t{1} << 16;
  /// Takes values [begin, end), which are there now. Pre: begin is a multiple of fill_unit, and
  /// end, too, or the size.
  void fill(std::uint64_t begin, std::uint64_t end);
  /// Pre: all values have been taken. Cost: that of a 4096th of them.
  void finish();

  RangeMinimaView<Value> view() const { return view_; }
  /// Memory beside the array.
  std::uint64_t bytes() const { return minima_.bytes() + near_.bytes() + far_.bytes(); }

 private:
  void fill_level(unsigned level, std::uint64_t start, std::uint64_t begin, std::uint64_t end);

  Buffer<Value> minima_;
  Buffer<std::uint8_t> near_;
  Buffer<std::uint64_t> far_;
  RangeMinimaView<Value> view_;
};

/// Values [begin, end) of an array.
struct ValueRange {
  std::uint64_t begin;
  std::uint64_t end;
};

extern template class RangeMinima<std::uint8_t>;
extern template class RangeMinima<std::uint16_t>;
extern template class RangeMinima<std::uint32_t>;
extern template class RangeMinima<std::uint64_t>;

}  // namespace gsx

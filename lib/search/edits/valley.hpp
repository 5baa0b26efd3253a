// Which ends of a pattern are hits: the right ends of the floors of valleys.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace gsx {

/// Follows D(j), the least distance of a pattern to a substring that ends at j, from end to end. A
/// *floor* is a run of ends with one value. Its last end is a hit if the value is at most `edits`,
/// the value before the floor is larger, and so is that behind it.
///
/// Values above `edits` may be taken for edits + 1: that changes neither a floor of at most `edits`
/// nor on which sides of it are larger values. The state is two numbers, so it can be kept at the
/// border of a chunk, and another chunk can go on.
class Valley {
 public:
  /// Before the first end of a text.
  GSX_HD explicit Valley(std::uint32_t edits) : edits_(edits), value_(edits + 1), is_lower_(true) {}
  /// On a floor of `value`, which is lower than the value before it or is not.
  GSX_HD Valley(std::uint32_t edits, std::uint32_t value, bool is_lower)
      : edits_(edits), value_(value), is_lower_(is_lower) {}

  /// The value of the last end.
  GSX_HD std::uint32_t value() const { return value_; }
  GSX_HD bool is_lower() const { return is_lower_; }
  /// Whether the last end is a hit if a larger value follows, or the end of the text.
  GSX_HD bool is_open() const { return is_lower_ && value_ <= edits_; }
  /// Goes to the next end; whether the last one was a hit.
  GSX_HD bool step(std::uint32_t next) {
    const bool is_hit = is_open() && next > value_;
    if (next != value_) is_lower_ = next < value_;
    value_ = next;
    return is_hit;
  }

 private:
  std::uint32_t edits_;
  std::uint32_t value_;
  bool is_lower_;  ///< than the value before this floor
};

}  // namespace gsx

// A segment of the text as one strand reads it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// A segment in the direction of a strand: as it stands, or from its end to its begin with the
/// complements of its bases. So a pattern is compared with both strands in its own direction. Place
/// t lies behind the first t symbols.
struct StrandText {
  PackedView symbols;
  std::uint64_t begin = 0;  ///< of the segment in the text
  std::uint64_t end = 0;
  bool reverse = false;

  GSX_HD std::uint64_t length() const { return end - begin; }
  /// Symbol t of the strand. Pre: t < length(); a reverse strand is of DNA.
  GSX_HD std::uint32_t operator[](std::uint64_t t) const {
    if (!reverse) return static_cast<std::uint32_t>(symbols[begin + t]);
    return 3 - static_cast<std::uint32_t>(symbols[end - 1 - t]);
  }
  /// The place behind the symbol at text position p.
  GSX_HD std::uint64_t place_behind(std::uint64_t p) const {
    return reverse ? end - p : p + 1 - begin;
  }
  /// The text position of a place: symbols before it lie on one side, the others on the other.
  GSX_HD std::uint64_t position_of(std::uint64_t t) const { return reverse ? end - t : begin + t; }
};
static_assert(std::is_trivially_copyable_v<StrandText>);

/// Reads a strand symbol by symbol. Cost: a load per 57 bits.
class StrandReader {
 public:
  /// Begins with symbol t. Pre: t <= text.length().
  GSX_HD StrandReader(const StrandText& text, std::uint64_t t)
      : symbols_(text.symbols),
        position_(text.position_of(t)),
        most_(PackedView::max_bits / text.symbols.bits),
        reverse_(text.reverse) {}
  /// The next symbol. Pre: there is one.
  GSX_HD std::uint32_t next() {
    if (left_ == 0) refill();
    --left_;
    if (reverse_) {
      const auto code = static_cast<std::uint32_t>(window_ & 3);
      window_ >>= 2;
      return 3 - code;
    }
    const auto code = static_cast<std::uint32_t>(window_ >> (64 - symbols_.bits));
    window_ <<= symbols_.bits;
    return code;
  }

 private:
  GSX_HD void refill() {
    if (!reverse_) {
      window_ = symbols_.window(position_);
      left_ = most_;
      position_ += left_;
      return;
    }
    left_ = position_ < most_ ? static_cast<std::uint32_t>(position_) : most_;
    position_ -= left_;
    window_ = symbols_.window(position_) >> (64 - 2 * left_);
  }

  PackedView symbols_;
  std::uint64_t position_;    ///< of the next symbol that is not in the window
  std::uint64_t window_ = 0;  ///< the next symbols, on the side where they are taken
  std::uint32_t left_ = 0;    ///< symbols in it
  std::uint32_t most_;
  bool reverse_;
};

}  // namespace gsx

// The codes of some queries on their way to the device, where they lie packed as the text does.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/base/search_lane.hpp"
#include "kernels/search/exact/layout.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// DNA is packed by the host, other alphabets on the device. Codes outside the alphabet become
/// others, so nothing may read them.
class QuerySymbols {
 public:
  QuerySymbols(std::span<const std::uint8_t> codes, const TextView& text)
      : codes_(codes),
        bits_(text.symbols.bits),
        sigma_(text.sigma),
        packed_(text.sigma == 4 && text.symbols.bits == 2) {}

  /// Adds to the part of the layout that is sent, and to that which stays on the device.
  void add_sent(Layout& layout);
  void add_kept(Layout& layout);
  /// Writes what is sent to its place in the host's memory of the lane.
  void write(const SearchLane& lane) const;
  /// The codes in the device's memory of the lane, once the stream has come so far. Pre: what was
  /// written has been sent. Asynchronous. Throws DeviceError.
  PackedView pack(SearchLane& lane) const;

 private:
  std::span<const std::uint8_t> codes_;
  std::uint32_t bits_, sigma_;
  bool packed_;                                                    ///< by the host
  std::uint64_t symbols_ = 0, end_ = 0, foreign_ = 0, words_ = 0;  ///< places, in bytes
};

}  // namespace gsx::cuda

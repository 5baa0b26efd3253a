// A compressed code of the symbols of a text, that keeps the order of its suffixes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "index/sa/alphabetic_words.hpp"
#include "kernels/base/device_buffer.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Words of the symbols, in device memory. One code is for the first symbol of a suffix, and one
/// for each symbol is for those that follow it. The stream of a suffix is its words, one after
/// another, as if the smallest symbol went on behind its end. Streams compare as suffixes do, as
/// leading bits of the packed text do (kernels/text/leading_bits.hpp), and tell more apart: 50 bits
/// hold some 14 letters of English instead of 7.
struct SymbolCodeView {
  const AlphabeticWord* first = nullptr;
  const AlphabeticWord* next = nullptr;  ///< [before << symbol_bits | symbol]
  std::uint32_t symbol_bits = 0;

  GSX_HD AlphabeticWord following(std::uint32_t before, std::uint32_t symbol) const {
    return next[before << symbol_bits | symbol];
  }
};
static_assert(std::is_trivially_copyable_v<SymbolCodeView>);

/// Owns such words, made for how often symbols follow one another in a sample of the text.
class SymbolCode {
 public:
  /// Pre: an alphabet of 3 to 8 bits per symbol. Cost: a kernel over 2^20 positions, and 25 ns of
  /// the host for each pair of symbols; 6 bytes of the device for each pair. Waits for the stream.
  /// Throws ResourceError, DeviceError.
  SymbolCode(const TextView& d_text, DeviceStream stream);

  /// Bits of a word on average, as far as the sample tells.
  double mean_bits() const { return mean_bits_; }
  SymbolCodeView view() const { return {words_.data(), words_.data() + sigma_, symbol_bits_}; }

 private:
  std::uint32_t sigma_;
  std::uint32_t symbol_bits_;
  double mean_bits_ = 0;
  DeviceBuffer<AlphabeticWord> words_;  ///< of first symbols, then of those that follow
};

}  // namespace gsx::cuda

// A batch of patterns on the device, packed as the text is.
#pragma once

#include <cstdint>

#include "device/backend.hpp"
#include "index/fm/pattern_view.hpp"
#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// Patterns in device memory: pattern i is symbols [begins[i], ends[i]); without `begins`, each one
/// begins where the one before ends, and the first one at `begin`.
struct PatternsView {
  PackedView symbols;
  const std::uint64_t* ends = nullptr;
  const std::uint8_t* foreign = nullptr;  ///< [count]: 1 for a pattern that matches nothing
  std::uint64_t count = 0;
  std::uint64_t begin = 0;
  const std::uint64_t* begins = nullptr;

  GSX_HD PatternView strand(std::uint64_t pattern, bool reverse) const {
    const std::uint64_t first = begins != nullptr ? begins[pattern]
                                : pattern == 0    ? begin
                                                  : ends[pattern - 1];
    return {symbols, first, ends[pattern] - first, reverse};
  }
};
static_assert(std::is_trivially_copyable_v<PatternsView>);

/// d_codes[i] = d_code_of[d_letters[i]]. Asynchronous. Throws DeviceError.
void encode_async(const char* d_letters, std::uint64_t size, const std::uint8_t* d_code_of,
                  std::uint8_t* d_codes, cudaStream_t stream);

/// Words that pack_async() fills, slack included: those of whole runs of 32 codes.
GSX_HD constexpr std::uint64_t packed_words(std::uint64_t size, std::uint32_t bits) {
  return (size + 31) / 32 * bits + PackedView::slack / 4;
}

/// Packs codes, one byte each, into `bits` bits: d_words, [packed_words(size, bits)]. Sets
/// d_foreign[i] of each pattern i with a code not below sigma, and leaves the others. 16 bytes must
/// be readable behind the last code. Asynchronous. Throws DeviceError.
void pack_async(const std::uint8_t* d_codes, std::uint64_t size, std::uint32_t bits,
                std::uint32_t sigma, const std::uint64_t* d_ends, std::uint64_t patterns,
                std::uint32_t* d_words, std::uint8_t* d_foreign, cudaStream_t stream);

/// Packs codes, one byte each, into `bits` bits. A pattern with a code not below sigma is marked.
/// Cost: one pass over the codes; `bits` bits per symbol and 9 bytes per pattern.
class PackedPatterns {
 public:
  /// Bytes that must be readable behind the codes.
  static constexpr std::uint64_t readable = 16;

  /// `d_codes`, [size], must have `readable` bytes behind the last one. Both arrays are used until
  /// the stream has done the work. Asynchronous. Throws ResourceError, DeviceError.
  PackedPatterns(const std::uint8_t* d_codes, std::uint64_t size, DeviceBuffer<std::uint64_t> ends,
                 std::uint32_t bits, std::uint32_t sigma, DeviceStream stream);

  PatternsView view() const;

 private:
  PackedView symbols_;
  DeviceBuffer<std::uint32_t> words_;
  DeviceBuffer<std::uint64_t> ends_;
  DeviceBuffer<std::uint8_t> foreign_;
};

}  // namespace gsx::cuda

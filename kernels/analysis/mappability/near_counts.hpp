// How many k-mers are near the one at each position, counted on the device.
#pragma once

#include <cstdint>
#include <span>

#include "analysis/mappability/open_windows.hpp"
#include "base/buffer.hpp"
#include "index/lcp/kmer_frequencies.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/transfer.hpp"
#include "text/both_strands.hpp"

namespace gsx::cuda {

/// The twin of NearCounts: one count per position of the first half, to which kernels add in
/// ranges, in any order. A position is open until its count and its exact frequency reach the cap.
/// Memory: bytes(), about 6.3 per position.
class DeviceNearCounts {
 public:
  /// Copies the exact frequencies, of which none is above the cap, and waits. The text must stay.
  /// Pre: as NearKmerMeasure (device/measures.hpp). Throws ResourceError, DeviceError.
  DeviceNearCounts(const BothStrandsView& d_text, const NearWindows& windows, std::uint64_t cap,
                   std::span<const std::uint16_t> exact, Transfer& transfer, DeviceStream stream);

  /// Which positions were open at the last close_full_async(), or at first.
  OpenWindows open() const { return {{open_.data(), text_.half}}; }
  NearPalindromes palindromes() const { return {{palindromes_.data(), 64 * palindromes_.size()}}; }
  /// [text.half + 1]: 1 is added where a range begins, and subtracted where it has ended, modulo
  /// 2^32.
  std::uint32_t* steps() { return steps_.data(); }
  /// Closes the positions that have reached the cap. Pre: none has got 2^32 - 2^18 since the last
  /// time, which takes a text of so many windows that are near one of them. Cost: two passes, 10
  /// bytes read and 8 written per position. Asynchronous.
  void close_full_async();

  /// The sums of exact frequencies and counts, at most the cap. Waits. Call it once, last.
  Buffer<std::uint16_t> result(Transfer& transfer);

  static std::uint64_t bytes(std::uint64_t half) { return 6 * half + half / 4 + half / 64 + 256; }

 private:
  void find_palindromes_async(const NearWindows& windows);
  void sum_up_async();

  BothStrandsView text_;
  std::uint32_t cap_;
  DeviceStream stream_;
  DeviceBuffer<std::uint32_t> steps_;  ///< count at p minus that at p - 1
  DeviceBuffer<std::uint16_t> exact_;
  DeviceBuffer<std::uint64_t> open_;  ///< a bit per position
  DeviceBuffer<std::uint64_t> palindromes_;
  DeviceBuffer<std::uint32_t> ends_;  ///< the count at the end of each tile
};

}  // namespace gsx::cuda

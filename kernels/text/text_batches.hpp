// The suffixes of a text in batches of leading bits.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/runtime/device_buffer.hpp"
#include "kernels/text/leading_bits.hpp"

namespace gsx::cuda {

/// Divides the suffixes of a text, separators left out, into batches of ascending leading bits.
/// Key is 32 bits wide for alphabets of up to 2 bits, or 64 bits wide, with the code before each
/// suffix in its lowest bits. Of wide keys no more bits are used than tell most suffixes apart.
template <class Key>
class TextBatches {
 public:
  /// Batches of at most `limit` suffixes where the first 12 bits tell enough of them apart, and at
  /// most max_batches. Cost: two scans of the text. Waits for the stream.
  /// Throws ResourceError, DeviceError.
  TextBatches(const TextView& d_text, std::uint64_t limit, DeviceStream stream);

  std::uint32_t count() const { return static_cast<std::uint32_t>(sizes_.size()); }
  std::uint64_t size(std::uint32_t batch) const { return sizes_[batch]; }
  /// Symbols on which suffixes with equal keys agree, unless they end before.
  std::uint32_t depth(std::uint32_t batch) const { return keys_[batch].bits / text_.symbols.bits; }
  /// Key bits in use, those carried included.
  std::uint32_t key_bits(std::uint32_t batch) const;

  /// Writes keys and positions of a batch in text order. Cost: a scan of the text. Asynchronous;
  /// any thread may call.
  template <class Pos>
  void collect_async(std::uint32_t batch, Key* d_keys, Pos* d_positions, cudaStream_t stream) const;

 private:
  TextView text_;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::uint64_t> bases_;  ///< suffixes in the batches before
  std::vector<BatchKeys> keys_;
  DeviceBuffer<std::uint64_t> offsets_;  ///< [batch][tile]: suffixes before
};

}  // namespace gsx::cuda

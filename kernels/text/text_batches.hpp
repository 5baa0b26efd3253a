// The suffixes of a text in batches of leading bits.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/base/device_buffer.hpp"
#include "kernels/text/keying.hpp"
#include "kernels/text/leading_bits.hpp"
#include "kernels/text/symbol_code.hpp"

namespace gsx::cuda {

/// Divides the suffixes of a text, separators left out, into batches of ascending leading bits.
/// Key is 32 bits wide for alphabets of up to 2 bits, or 64 bits wide; its lowest bits carry what
/// kernels/text/leading_bits.hpp says. Leading bits are those of the packed text, or of the
/// suffix's stream of words (kernels/text/symbol_code.hpp). Of wide keys no more bits are used than
/// tell most suffixes apart.
template <class Key>
class TextBatches {
 public:
  /// Batches of at most `limit` suffixes where the first 12 bits tell enough of them apart, and at
  /// most max_batches. `keying` says what leading bits are taken from. Cost: two scans of the text,
  /// and a code (kernels/text/symbol_code.hpp) where words are asked for. Waits for the stream.
  /// Throws ResourceError, DeviceError.
  TextBatches(const TextView& d_text, std::uint64_t limit, Keying keying, DeviceStream stream);

  std::uint32_t count() const { return static_cast<std::uint32_t>(sizes_.size()); }
  std::uint64_t size(std::uint32_t batch) const { return sizes_[batch]; }
  /// Symbols on which suffixes with equal keys agree, unless they end before, beside those that
  /// the keys carry.
  std::uint32_t depth(std::uint32_t batch) const {
    return sizeof(Key) == 4 ? keys_[batch].bits / text_.symbols.bits : 0;
  }
  /// Key bits in use, those carried included.
  std::uint32_t key_bits(std::uint32_t batch) const;

  /// Writes keys and positions of a batch in text order. Cost: a scan of the text. Asynchronous;
  /// any thread may call.
  template <class Pos>
  void collect_async(std::uint32_t batch, Key* d_keys, Pos* d_positions, cudaStream_t stream) const;

 private:
  template <class Scan>
  std::vector<unsigned long long> count_prefixes(const Scan& scan, DeviceStream stream) const;
  /// Cuts the suffixes into batches, and returns the batch of each prefix.
  std::vector<std::uint8_t> cut(const std::vector<unsigned long long>& counts, std::uint64_t limit);

  TextView text_;
  std::optional<SymbolCode> code_;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::uint64_t> bases_;  ///< suffixes in the batches before
  std::vector<BatchKeys> keys_;
  DeviceBuffer<std::uint64_t> offsets_;  ///< [batch][tile]: suffixes before
};

}  // namespace gsx::cuda

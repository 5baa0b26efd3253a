// The k-mers of a text at every few places, to be looked up.
#pragma once

#include <cstdint>

#include "base/buffer.hpp"
#include "base/host_device.hpp"
#include "match/pair_sampling.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Whether the k-mer at p lies in one segment of the text.
GSX_HD bool has_kmer_at(const TextView& text, std::uint64_t p, std::uint64_t kmer) {
  return p < text.length() && text.segments.separator_from(p) >= p + kmer;
}

/// Places of k-mers by the slot of the k-mer. Different k-mers may share a slot.
struct PairTableView {
  const std::uint32_t* starts = nullptr;   ///< [slots + 1] of each slot in `samples`
  const std::uint32_t* samples = nullptr;  ///< numbers of places: places divided by the step
  std::uint32_t step = 1;
  std::uint32_t kmer_bits = 0;
  std::uint32_t slot_bits = 0;

  /// A table of a text to be filled, without arrays.
  static PairTableView of(const TextView& text, const PairSampling& sampling);

  std::uint64_t slots() const { return std::uint64_t{1} << slot_bits; }
  /// The slot of a k-mer, given the text from it on as PackedView::window() gives it.
  GSX_HD std::uint64_t slot(std::uint64_t window) const {
    return slot_of(window >> (64 - kmer_bits));
  }
  /// The slot of a k-mer in the lowest bits.
  GSX_HD std::uint64_t slot_of(std::uint64_t kmer) const {
    if (kmer_bits <= slot_bits) return kmer;
    kmer *= 0x9E3779B97F4A7C15;
    kmer ^= kmer >> 32;
    return kmer * 0xD6E8FEB86659FD93 >> (64 - slot_bits);
  }
};

/// Owns the table of a text. Memory: 4 bytes per place, and 2 to 4 more for slots.
class PairTable {
 public:
  /// Takes the places that are multiples of sampling.target_step and begin a k-mer within a
  /// segment. Cost: two passes over them, in parallel. Throws ResourceError. Pre: there are at most
  /// most_samples.
  PairTable(const TextView& text, const PairSampling& sampling, int threads);

  static constexpr std::uint64_t most_samples = (std::uint64_t{1} << 32) - 1;
  /// Bytes per place, at most.
  static constexpr std::uint64_t sample_bytes = 8;

  PairTableView view() const;
  std::uint64_t bytes() const { return starts_.bytes() + samples_.bytes(); }

 private:
  PairTableView shape_;
  Buffer<std::uint32_t> starts_;
  Buffer<std::uint32_t> samples_;
};

}  // namespace gsx

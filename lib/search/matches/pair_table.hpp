// The k-mers of a text at every few places, to be looked up.
#pragma once

#include <cstdint>

#include "base/buffer.hpp"
#include "base/host_device.hpp"
#include "base/packed.hpp"
#include "index/fm/pattern_view.hpp"
#include "search/matches/pair_sampling.hpp"
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
  std::uint32_t kmer = 0;  ///< symbols
  std::uint32_t slot_bits = 0;

  /// A table of a text to be filled, without arrays.
  static PairTableView of(const TextView& text, const PairSampling& sampling);

  std::uint64_t slots() const { return std::uint64_t{1} << slot_bits; }
  /// The slot of the k-mer that begins at p. Cost: one load, or two for a k-mer that is longer than
  /// one gives.
  GSX_HD std::uint64_t slot_at(const PackedView& symbols, std::uint64_t p) const {
    const std::uint32_t head = head_of(symbols), rest = kmer - head;
    const std::uint64_t first = symbols.window(p) >> (64 - head * symbols.bits);
    if (rest == 0) return slot_of(first, kmer * symbols.bits);
    return slot_of_long(first, symbols.window(p + head) >> (64 - rest * symbols.bits));
  }
  /// The slot of its reverse complement. Pre: symbols.bits is 2.
  GSX_HD std::uint64_t complement_slot_at(const PackedView& symbols, std::uint64_t p) const {
    const std::uint32_t head = head_of(symbols), rest = kmer - head;
    const std::uint64_t last = symbols.window(p + rest) >> (64 - 2 * head);
    const std::uint64_t first = reverse_complement(last, head);
    if (rest == 0) return slot_of(first, 2 * kmer);
    return slot_of_long(first, reverse_complement(symbols.window(p) >> (64 - 2 * rest), rest));
  }

 private:
  /// Symbols of the k-mer that one load gives.
  GSX_HD std::uint32_t head_of(const PackedView& symbols) const {
    const std::uint32_t a_load = PackedView::max_bits / symbols.bits;
    return kmer < a_load ? kmer : a_load;
  }
  GSX_HD std::uint64_t slot_of(std::uint64_t codes, std::uint32_t bits) const {
    return bits <= slot_bits ? codes : mixed(codes);
  }
  GSX_HD std::uint64_t slot_of_long(std::uint64_t head, std::uint64_t rest) const {
    rest *= 0xC2B2AE3D27D4EB4F;
    return mixed(head ^ rest ^ rest >> 29);
  }
  GSX_HD std::uint64_t mixed(std::uint64_t codes) const {
    codes *= 0x9E3779B97F4A7C15;
    codes ^= codes >> 32;
    return codes * 0xD6E8FEB86659FD93 >> (64 - slot_bits);
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

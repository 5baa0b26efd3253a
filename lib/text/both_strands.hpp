// A DNA text followed by its reverse complement, and the choice between that and the text alone.
#pragma once

#include <cstdint>
#include <optional>

#include "base/host_device.hpp"
#include "base/packed.hpp"
#include "text/alphabet.hpp"
#include "text/text.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// A text whose second half holds the reverse complement of each segment of the first half, in the
/// same order. So a string occurs on either strand of the first half as often as in all of the
/// text.
struct BothStrandsView {
  TextView text;
  std::uint64_t half = 0;  ///< length of the first half, separators included

  GSX_HD bool is_forward(std::uint64_t p) const { return p < half; }

  /// Where, in the first half, the `length` symbols lie whose reverse complement begins at position
  /// p of the second half, if they are in one segment.
  /// Example: segments ACG at 0 and CGT at 4, so CGT at 8 and ACG at 12. The first two symbols from
  /// 8 on, CG, are the reverse complement of those at 1.
  GSX_HD std::uint64_t forward_start(std::uint64_t p, std::uint64_t length) const {
    const std::uint64_t segment = text.segments.segment_at(p);
    const std::uint64_t begin = text.segments.starts[segment];
    const std::uint64_t end = text.segments.starts[segment + 1] - 1;
    return end - half - length - (p - begin);
  }
};

/// Owns both strands of a text. Memory: 4 bits per symbol of the text, separators included, and 32
/// bytes per segment.
class BothStrands {
 public:
  /// Copies the text. Pre: it is DNA, 2 bits per symbol. Throws ResourceError. Cost: 0.7 ns per
  /// base and thread.
  BothStrands(const TextView& text, int threads);

  BothStrandsView view() const { return {{symbols_.view(), segments_.view(), sigma_}, half_}; }

 private:
  std::uint64_t half_;
  std::uint32_t sigma_;
  Segments segments_;
  PackedArray symbols_;
};

/// A text in which the reverse complement of each segment follows the segment. Owns it. Memory: 4
/// bits per symbol of the text, separators included, and 32 bytes per segment.
class StrandPairs {
 public:
  /// As BothStrands().
  StrandPairs(const TextView& text, int threads);

  TextView view() const { return {symbols_.view(), segments_.view(), sigma_}; }

 private:
  std::uint32_t sigma_;
  Segments segments_;
  PackedArray symbols_;
};

/// The strands of a text that a search goes through: both, if that is asked for and the alphabet
/// has reverse complements, or else the one that is there, to which it refers.
class ChosenStrands {
 public:
  ChosenStrands(const TextView& text, const Alphabet& alphabet, bool both, int threads) {
    if (both && alphabet.has_reverse_complement()) owner_.emplace(text, threads);
    view_ = owner_ ? owner_->view() : BothStrandsView{text, text.length()};
  }
  ChosenStrands(const ChosenStrands&) = delete;
  ChosenStrands& operator=(const ChosenStrands&) = delete;

  const BothStrandsView& view() const { return view_; }

 private:
  std::optional<BothStrands> owner_;
  BothStrandsView view_;
};

}  // namespace gsx

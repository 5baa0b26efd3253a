// A block of text in stripes: a word holds one symbol of each of hundreds of stripes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"
#include "base/cpu_path.hpp"
#include "search/mismatches/base_set.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// How wide words are, by the instructions of a CPU.
enum class StripePath : std::uint8_t { baseline, avx2, avx512 };

/// The best one for a path that this CPU has.
StripePath stripe_path(CpuPath path);

constexpr CpuPath cpu_path_of(StripePath path) {
  return path == StripePath::baseline ? CpuPath::baseline : CpuPath::avx2;
}

/// Stripes, and so bits, of a word.
constexpr std::size_t stripes_of(StripePath path) {
  return path == StripePath::avx512 ? 512 : path == StripePath::avx2 ? 256 : 128;
}

/// Planes of a block of text, which lies in as many stripes of `width` symbols as a word has bits.
/// Bit s of word c of the plane of a set tells whether symbol c - lead of stripe s is in the set.
/// So the symbol to the left or right of each is in the word beside its word, and what goes through
/// the text symbol by symbol goes through all stripes at once. The words before `lead` hold the
/// symbols before each stripe.
class Stripes {
 public:
  static constexpr std::size_t lead = 32;    ///< symbols before a stripe
  static constexpr std::uint64_t unit = 32;  ///< widths are multiples of it

  /// Has room for planes of stripes of up to `most_width` symbols. Pre: the text is DNA.
  /// Memory: 2 bytes per symbol and at most 16 planes of a bit each, of which only those of sets
  /// that are used are touched.
  Stripes(const TextView& text, StripePath path, std::uint64_t most_width);

  /// Makes the planes of the sets in `used` (bit s stands for set s) for the text from `first` on.
  /// Symbols beyond the text are some bases. Pre: `first` is a multiple of 4 and in the text.
  /// Cost: 0.1 ns per symbol.
  void load(std::uint64_t first, std::uint64_t width, std::uint32_t used);

  StripePath path() const { return path_; }
  std::uint64_t first() const { return first_; }
  std::uint64_t width() const { return width_; }
  std::size_t words() const { return lead + width_; }
  std::size_t word_bytes() const { return stripes_of(path_) / 8; }
  /// The plane of a set that is used.
  const std::uint8_t* plane(BaseSet set) const {
    return planes_.data() + (set & base_sets::any) * plane_bytes_;
  }
  /// The text position of a stripe's symbol in a word. Pre: word >= lead.
  std::uint64_t position(std::size_t stripe, std::size_t word) const {
    return first_ + stripe * width_ + (word - lead);
  }

 private:
  TextView text_;
  StripePath path_;
  std::uint64_t first_ = 0;
  std::uint64_t width_ = 0;
  std::size_t plane_bytes_;
  Buffer<std::uint8_t> planes_;
};

}  // namespace gsx

// Tables of keys as threads read them: what the CPU and a GPU do with a window of a text.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "search/mismatches/key_layout.hpp"
#include "search/mismatches/place_range.hpp"
#include "search/mismatches/seed_patterns.hpp"
#include "search/mismatches/strand_masks.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// One strand of a pattern in the window of a layout.
struct KeyStrand {
  std::uint64_t code;  ///< of positions with one base
  std::uint64_t care;  ///< these positions, as bits 62 - 2i

  /// Where these positions differ from a window, as bits 62 - 2i.
  GSX_HD std::uint64_t differing(std::uint64_t window) const {
    const std::uint64_t differ = window ^ code;
    return (differ | differ >> 1) & care;
  }
};

/// Which hashes keys have, in few bits: bit h of `words` tells whether the highest bits of some key
/// that is spread out are h. A GPU asks it first, as it fits in the memory of a thread block.
struct KeySieve {
  const std::uint32_t* words = nullptr;
  std::uint32_t shift = 0;  ///< of keys that are spread out

  GSX_HD std::uint32_t word_count() const { return (std::uint32_t{1} << (32 - shift)) / 32; }
};

/// The strands of some patterns by their keys in one shape: the strands of a key are those of its
/// hash, [begins[rank], begins[rank + 1]) of `strands`, where rank is the number of smaller hashes
/// that there are.
struct KeyTableView {
  KeyShape shape;
  KeySieve sieve;       ///< none unless the tables were asked for it
  std::uint32_t first;  ///< the table of the first shape of this strand
  std::uint32_t hash_shift;
  const std::uint64_t* bits;   ///< which hashes there are
  const std::uint32_t* ranks;  ///< of each word of `bits`
  const std::uint32_t* begins;
  const std::uint32_t* strands;

  /// A key as a number whose highest bits are hashes.
  GSX_HD static std::uint32_t spread(std::uint32_t key) { return key * 0x9E3779B1; }
  GSX_HD std::uint32_t hash_of(std::uint32_t key) const { return spread(key) >> hash_shift; }
  GSX_HD bool has(std::uint32_t hash) const { return (bits[hash >> 6] >> (hash & 63) & 1) != 0; }
  /// The number of smaller hashes that there are.
  GSX_HD std::uint32_t rank_of(std::uint32_t hash) const {
    const std::uint64_t before = bits[hash >> 6] & ((std::uint64_t{1} << (hash & 63)) - 1);
    return ranks[hash >> 6] + popcount64(before);
  }
};

/// A place of a strand.
struct KeyPlace {
  std::uint64_t start;
  std::uint32_t pattern;
  std::uint32_t mismatches;
  bool reverse;
};

/// All tables of some patterns, and what their places are compared with.
struct KeysView {
  const KeyTableView* tables;
  const KeyStrand* strands;
  const std::uint32_t* numbers;  ///< of the strands' patterns, and the strand in the lowest bit
  SeedsView patterns;            ///< whole ones; without pieces
  std::uint32_t table_count;
  std::uint32_t window;       ///< positions
  std::uint32_t most;         ///< mismatches
  std::uint64_t window_bits;  ///< its positions, as bits 62 - 2i

  /// Whether a strand has a place whose window begins at `position`, where the text has `codes`,
  /// and `table` is the first table with its key there: so each place is found once. Sets the
  /// place.
  GSX_HD bool find(const TextView& text, std::uint64_t position, std::uint64_t codes,
                   std::uint32_t strand, std::uint32_t table, KeyPlace& place) const {
    place.pattern = numbers[strand] >> 1;
    place.reverse = (numbers[strand] & 1) != 0;
    const StrandMasks masks = patterns.strand(place.pattern, place.reverse);
    const std::uint64_t before = place.reverse ? 0 : masks.length - window;
    if (position < before || masks.length > text.length() - (position - before)) return false;
    place.start = position - before;
    std::uint64_t differ = strands[strand].differing(codes);
    if (strands[strand].care != window_bits)
      differ = masks.mismatches_from(text.symbols, place.start, before) & window_bits;
    for (std::uint32_t i = tables[table].first; i < table; ++i)
      if ((tables[i].shape.window_bits() & differ) == 0) return false;
    if ((tables[table].shape.window_bits() & differ) != 0) return false;  // only the hash is alike
    place.mismatches = masks.mismatches_at(text.symbols, place.start, most);
    return place.mismatches <= most &&
           text.segments.separator_from(place.start) >= place.start + masks.length;
  }
};
static_assert(std::is_trivially_copyable_v<KeysView>);
static_assert(std::is_trivially_copyable_v<KeyTableView>);

/// The windows of 32 places of a text in a row.
class KeyWindows {
 public:
  static constexpr std::uint32_t places = 32;

  KeyWindows() = default;
  /// Pre: `begin` is a multiple of `places`, and in the text.
  GSX_HD KeyWindows(const PackedView& text, std::uint64_t begin)
      : first_(load_big_endian64(text.bytes + begin / 4)),
        next_(load_big_endian64(text.bytes + begin / 4 + 8)) {}

  /// The window of a place. Pre: i < places.
  GSX_HD std::uint64_t operator[](std::uint32_t i) const {
    return i == 0 ? first_ : first_ << 2 * i | next_ >> (64 - 2 * i);
  }
  /// Bit i tells whether place i has a key that a sieve lets through, whose words are here. Cost:
  /// some 15 operations per place.
  GSX_HD std::uint32_t sift(const KeyShape& shape, std::uint32_t shift,
                            const std::uint32_t* sieve) const {
    constexpr std::uint32_t at_once = 8;
    std::uint32_t found = 0;
    KeyWindows left = *this;
    for (std::uint32_t first = 0; first < places; first += at_once) {
      std::uint32_t keys[at_once] = {};
      for (std::uint32_t r = 0; r < shape.run_count(); ++r) {
        const KeyShape::Run run = shape.run(r);
        for (std::uint32_t i = 0; i < at_once; ++i)
          keys[i] |= static_cast<std::uint32_t>(left[i] >> run.shift) & run.mask;
      }
      for (std::uint32_t i = 0; i < at_once; ++i) {
        const std::uint32_t hash = KeyTableView::spread(keys[i]) >> shift;
        found |= (sieve[hash / 32] >> hash % 32 & 1) << (first + i);
      }
      left.skip(at_once);
    }
    return found;
  }

 private:
  GSX_HD void skip(std::uint32_t some) {
    first_ = first_ << 2 * some | next_ >> (64 - 2 * some);
    next_ <<= 2 * some;
  }

  std::uint64_t first_;
  std::uint64_t next_;
};

/// Gives `take` the places of all strands that have a key in a table where `found` tells, of the
/// places from `begin` on whose windows these are. Cost: some dependent reads per place that is
/// looked up.
template <class Take>
GSX_HD void look_up(const KeysView& keys, const TextView& text, std::uint32_t table,
                    const KeyWindows& windows, std::uint64_t begin, std::uint32_t found,
                    const Take& take) {
  const KeyTableView& in = keys.tables[table];
  for (; found != 0; found &= found - 1) {
    const std::uint32_t i = lowest_bit32(found);
    const std::uint64_t window = windows[i];
    const std::uint32_t hash = in.hash_of(in.shape.key_of(window));
    if (!in.has(hash)) continue;
    const std::uint32_t rank = in.rank_of(hash);
    for (std::uint32_t k = in.begins[rank]; k < in.begins[rank + 1]; ++k) {
      const std::uint32_t strand = in.strands[k];
      KeyPlace place{};
      if (popcount64(keys.strands[strand].differing(window)) <= keys.most &&
          keys.find(text, begin + i, window, strand, table, place))
        take(place);
    }
  }
}

}  // namespace gsx

// The rows of a batch whose suffixes share a seed, laid out so that pairs are quickly found.
#pragma once

#include <cstdint>

#include "analysis/mappability/open_windows.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/index/sa/finished_rows.hpp"
#include "text/both_strands.hpp"

namespace gsx::cuda {

/// What a row's key says, from the highest bits: its group, whether all windows around it are
/// closed, and the symbol before it. So the rows of a group stand together, the open ones first,
/// and those of one symbol before in each half.
struct NearKey {
  static constexpr std::uint32_t group_bits = 28, low_bits = 4;
  static constexpr std::uint32_t closed = 8;     ///< a bit
  static constexpr std::uint32_t at_start = 4;   ///< where a segment begins, in place of a symbol
  static constexpr std::uint32_t left_mask = 7;  ///< of the symbol before
  static constexpr std::uint32_t group_mask = ~15u;

  GSX_HD static bool is_closed(std::uint32_t key) { return (key & closed) != 0; }
  GSX_HD static bool begins_segment(std::uint32_t key) { return (key & left_mask) == at_start; }
};

/// Two ranges of rows.
struct NearPartners {
  std::uint64_t begin[2] = {0, 0};
  std::uint64_t size[2] = {0, 0};

  GSX_HD std::uint64_t count() const { return size[0] + size[1]; }
  /// Pre: i < count().
  GSX_HD std::uint64_t operator[](std::uint64_t i) const {
    return i < size[0] ? begin[0] + i : begin[1] + (i - size[0]);
  }
};

/// Rows in the order of their keys.
template <class Pos>
struct NearRowsView {
  const Pos* d_rows = nullptr;
  const std::uint32_t* d_keys = nullptr;
  const NearSides* d_sides = nullptr;
  std::uint64_t count = 0;

  /// The rows behind row i with which it makes a pair: of its group, with another symbol before it,
  /// unless both are closed. So each pair is that of one row. Cost: a few loads, and more, as the
  /// logarithm does, in a large group.
  GSX_HD NearPartners partners_of(std::uint64_t i) const {
    const std::uint32_t key = d_keys[i];
    NearPartners partners;
    if (NearKey::is_closed(key)) return partners;
    const std::uint32_t group = key & NearKey::group_mask, left = key & NearKey::left_mask;
    const std::uint64_t end = behind(i, group | ~NearKey::group_mask);
    if (left == NearKey::at_start) {
      set(partners, 0, i + 1, end);
      return partners;
    }
    // The open ones with later symbols, and with closed ones but those of the same symbol.
    const std::uint64_t same_end = behind(i, key);
    const std::uint32_t twin = key | NearKey::closed;
    const std::uint64_t twins = behind(same_end - 1, twin - 1);
    set(partners, 0, same_end, twins);
    set(partners, 1, behind(twins - 1, twin), end);
    return partners;
  }

 private:
  GSX_HD static void set(NearPartners& partners, int part, std::uint64_t begin, std::uint64_t end) {
    partners.begin[part] = begin;
    partners.size[part] = end - begin;
  }
  /// The first row behind row i with a key above `key`. Pre: that of row i is not.
  GSX_HD std::uint64_t behind(std::uint64_t i, std::uint32_t key) const {
    std::uint64_t low = i, step = 1;  // the key of row `low` is not above
    while (low + step < count && d_keys[low + step] <= key) {
      low += step;
      step *= 2;
    }
    std::uint64_t high = low + step < count ? low + step : count;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (d_keys[middle] <= key) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
};

/// Owns them.
template <class Pos>
struct NearRows {
  DeviceBuffer<Pos> rows;
  DeviceBuffer<std::uint32_t> keys;
  DeviceBuffer<NearSides> sides;

  NearRowsView<Pos> view() const { return {rows.data(), keys.data(), sides.data(), rows.size()}; }
};

/// The rows of groups that agree on a seed, of which some row is open. Pre: windows.k <=
/// tuning::most_compared, 2 bits per symbol. Waits for the stream. Throws ResourceError, also where
/// there are more than 2^28 groups, and DeviceError.
/// Memory: 7.5 bytes per row of the batch, and up to 28 for each that is in such a group.
template <class Pos>
NearRows<Pos> find_near_rows(const BothStrandsView& d_text, const NearWindows& windows,
                             const OpenWindows& open, const FinishedRows<Pos>& rows,
                             DeviceStream stream);

}  // namespace gsx::cuda

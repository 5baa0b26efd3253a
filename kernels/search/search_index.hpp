// An index in device memory, with as much beside it as the memory allows.
#pragma once

#include <cstdint>

#include "kernels/fm/device_fm.hpp"
#include "kernels/fm/expand_suffix_array.hpp"
#include "kernels/text/device_text.hpp"
#include "store/index.hpp"

namespace gsx::cuda {

/// What a search on the device reads. Pos is 32 bits wide for texts shorter than 2^32, or 64.
template <class Pos>
struct SearchView {
  FmView fm;
  TextView text;
  const Pos* sa = nullptr;  ///< the whole suffix array, or null

  /// Position of the suffix in `row`; sets `fault` when the index leads nowhere.
  GSX_HD std::uint64_t position_of(Pos row, bool& fault) const {
    if (sa != nullptr) return sa[row];
    std::uint64_t steps = 0, position = 0;
    while (!fm.step_back(row, steps, position)) {
      if (row >= fm.rows() || steps > fm.rows()) {
        fault = true;
        return 0;
      }
    }
    if (position >= fm.rows()) fault = true;
    return position;
  }
};
static_assert(std::is_trivially_copyable_v<SearchView<std::uint32_t>>);

/// How much of an index is placed on the device.
struct DevicePlacement {
  std::uint64_t bytes = 0;          ///< in all
  std::uint32_t kmer_length = 0;    ///< at least the index's own
  bool whole_suffix_array = false;  ///< the whole suffix array, not only its samples
};

/// The most that `available` bytes have room for: the FM-index and the text in any case, then the
/// whole suffix array, then a k-mer table of a larger k than the index's.
DevicePlacement plan_placement(const Index& index, std::uint32_t position_bytes,
                               std::uint64_t available);

/// Owns an index on the device: the FM-index and the text, and where there is room the whole suffix
/// array, by which few candidates are compared with the text and hits are located at once.
template <class Pos>
class SearchIndex {
 public:
  /// Copies and computes; waits. Throws ResourceError, CorruptIndexError, DeviceError.
  SearchIndex(const Index& index, const DevicePlacement& placement, Transfer& transfer,
              DeviceStream stream);

  SearchView<Pos> view() const;
  const DevicePlacement& placement() const { return placement_; }

 private:
  DevicePlacement placement_;
  DeviceText text_;
  DeviceFm fm_;
  KmerView kmers_;
  DeviceBuffer<std::uint8_t> kmer_bounds_;
  DeviceBuffer<Pos> sa_;
};

}  // namespace gsx::cuda

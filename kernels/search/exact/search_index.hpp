// An index in device memory, with as much beside it as the memory allows.
#pragma once

#include <cstdint>

#include "index/store/index.hpp"
#include "kernels/index/fm/device_fm.hpp"
#include "kernels/index/fm/expand_suffix_array.hpp"
#include "kernels/text/device_text.hpp"

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

/// Owns an index on the device: the FM-index and the text, and once extras are added, as far as the
/// placement has room, the whole suffix array, by which few candidates are compared with the text
/// and hits are located at once, and a table of longer k-mers.
template <class Pos>
class SearchIndex {
 public:
  /// Copies, without extras. Throws ResourceError, DeviceError.
  SearchIndex(const Index& index, const DevicePlacement& placement, Transfer& transfer,
              DeviceStream stream);
  /// Computes an extra of the placement, if it has that and it is not there yet. Waits for the
  /// stream. Views from before stay valid; no other function may be called meanwhile. Cost: 0.1 s
  /// per Gbp for the suffix array, 0.07 s for the k-mers. Throws ResourceError, CorruptIndexError,
  /// DeviceError; the index is then as it was.
  void add_suffix_array(DeviceStream stream);
  void add_kmers(DeviceStream stream);
  bool has_extras_to_add() const { return lacks_suffix_array() || lacks_kmers(); }

  SearchView<Pos> view() const;
  const DevicePlacement& placement() const { return placement_; }

 private:
  bool lacks_suffix_array() const { return placement_.whole_suffix_array && sa_.size() == 0; }
  bool lacks_kmers() const {
    return placement_.kmer_length > kmers_.k && longer_bounds_.size() == 0;
  }

  DevicePlacement placement_;
  DeviceText text_;
  DeviceFm fm_;
  KmerView kmers_;
  DeviceBuffer<std::uint8_t> kmer_bounds_;
  KmerView longer_kmers_;
  DeviceBuffer<std::uint8_t> longer_bounds_;
  DeviceBuffer<Pos> sa_;
};

}  // namespace gsx::cuda

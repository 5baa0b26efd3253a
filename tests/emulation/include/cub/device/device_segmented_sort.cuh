// Sorting segments.
#pragma once

#include <algorithm>
#include <cstddef>

#include "emulation/cub_call.hpp"

namespace cub {

struct DeviceSegmentedSort {
  /// What is in no segment stays as it is in `out`.
  template <class Key, class Size, class Segments, class Begins, class Ends>
  static cudaError_t SortKeys(void* workspace, std::size_t& bytes, const Key* in, Key* out,
                              Size size, Segments segments, Begins begins, Ends ends,
                              cudaStream_t stream = nullptr) {
    return gsx::emulation::call_cub(workspace, bytes, static_cast<std::size_t>(size), stream, [=] {
      for (std::size_t s = 0; s < static_cast<std::size_t>(segments); ++s) {
        if (begins[s] > ends[s] || ends[s] > static_cast<std::size_t>(size))
          gsx::emulation::fail("a segment of DeviceSegmentedSort is not within the keys");
        std::copy(in + begins[s], in + ends[s], out + begins[s]);
        std::sort(out + begins[s], out + ends[s]);
      }
    });
  }
};

}  // namespace cub

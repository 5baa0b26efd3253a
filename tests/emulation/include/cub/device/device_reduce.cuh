// Sums and maxima.
#pragma once

#include <limits>

#include "emulation/cub_call.hpp"

namespace cub {

struct DeviceReduce {
  template <class In, class Out, class Size>
  static cudaError_t Sum(void* workspace, std::size_t& bytes, In in, Out out, Size size,
                         cudaStream_t stream = nullptr) {
    const auto items = static_cast<std::size_t>(size);
    return gsx::emulation::call_cub(workspace, bytes, items, stream, [=] {
      gsx::emulation::ValueOfT<Out> sum{};
      for (std::size_t i = 0; i < items; ++i)
        sum += in[i];
      *out = sum;
    });
  }
  template <class In, class Out, class Size>
  static cudaError_t Max(void* workspace, std::size_t& bytes, In in, Out out, Size size,
                         cudaStream_t stream = nullptr) {
    const auto items = static_cast<std::size_t>(size);
    return gsx::emulation::call_cub(workspace, bytes, items, stream, [=] {
      auto most = std::numeric_limits<gsx::emulation::ValueOfT<Out>>::lowest();
      for (std::size_t i = 0; i < items; ++i) {
        if (most < in[i]) most = in[i];
      }
      *out = most;
    });
  }
};

}  // namespace cub

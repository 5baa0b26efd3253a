// How a test calls the functions of gsx/device.cuh.
#pragma once

#include <cstdint>

namespace gsx::testing {

/// How a test calls: each user's choice.
struct DeviceCall {
  bool own_stream = true;     ///< else the default stream
  bool callers_pool = false;  ///< else a pool of the library's own
  std::uint64_t limit = ~std::uint64_t{0};
};

}  // namespace gsx::testing

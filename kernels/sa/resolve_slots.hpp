// What all ways of sorting groups in their slots do around their kernels.
#pragma once

#include <cstdint>

#include "kernels/sa/tied_rows.hpp"

namespace gsx::cuda {

/// Calls launch(from, to, d_large), which queues a kernel that sorts groups from their slots into
/// others, and adds to *d_large how many suffixes it leaves as they were; then drops the suffixes
/// that are alone, writing them to `rows`. Returns that number. Waits for the stream.
/// Throws ResourceError, DeviceError.
template <class Pos, class Launch>
std::uint64_t resolve_slots(TiedRows<Pos>& tied, DeviceBuffer<Pos>& rows, const Launch& launch) {
  const DeviceStream stream = tied.stream();
  DeviceBuffer<unsigned long long> d_large(1, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(d_large.data(), 0, d_large.bytes(), stream));
  launch(tied.slots(), tied.other_slots(), d_large.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.swap_slots();
  tied.settle(&rows);
  return first_value(d_large, stream);
}

}  // namespace gsx::cuda

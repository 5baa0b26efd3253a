// What all ways of sorting groups in their slots do around their kernels.
#pragma once

#include <cstdint>

#include "kernels/index/sa/tied_rows.hpp"

namespace gsx::cuda {

/// Calls launch(d_large), which queues a kernel that sorts groups from their slots into the other
/// ones, and adds to *d_large how many suffixes it leaves as they were; then drops the suffixes
/// that are alone, writing them to `rows`. Returns that number. Waits for the stream.
/// Throws ResourceError, DeviceError.
template <class Pos, class Launch>
std::uint64_t resolve_slots(TiedRows<Pos>& tied, DeviceBuffer<Pos>& rows, const Launch& launch) {
  Mail mail(tied.stream());
  launch(mail.box().d_sum);
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.swap_slots();
  tied.settle(&rows, mail);
  return mail.letter(1);
}

}  // namespace gsx::cuda

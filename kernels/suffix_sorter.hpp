// The suffix array on the GPU.
#pragma once

#include <cstdint>

#include "base/progress.hpp"
#include "kernels/device_buffer.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// The suffix array of a text in device memory, separators' rows included, in the total order of
/// the text model; entry for entry what the CPU builds. Pre: d_text.length() < 2^32.
///
/// Packed keys first (paper: BWT by radix sort), then text, then ranks (GPU prefix doubling):
/// the text is scanned once for each batch of leading bits, the batch's suffixes are sorted by
/// their first symbols (25 bases), what is tied fetches its next symbols together with its group's
/// number as one 64-bit key, and what is tied for long is finished by prefix doubling on an inverse
/// suffix array. Sorted suffixes are never touched again.
/// Cost in device memory beyond text and result: 24 bytes a suffix of one batch; then 38 bytes a
/// tied suffix; while ranks double, 4 bytes a symbol more. Waits for the stream.
/// Throws ResourceError when the device has too little memory, DeviceError.
DeviceBuffer<std::uint32_t> sort_suffixes(const TextView& d_text, cudaStream_t stream,
                                          const ProgressReport& progress);

/// Device bytes that sorting a text of n symbols takes, the result included, when a tenth of its
/// suffixes are tied after the first sort, as in a mammalian genome.
std::uint64_t sorting_bytes(std::uint64_t length);

}  // namespace gsx::cuda

// Tied rows whose order makes no difference to the BWT: all suffixes of their group have the same
// code, or a separator, before them. A long repeat is nearly all of this kind: only where its
// copies begin do the codes differ.
#pragma once

#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "kernels/index/sa/first_sort.hpp"
#include "kernels/index/sa/tied_rows.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Drops groups of a sorted batch whose keys carry the same code, but for very large ones: `tied`
/// has a bit per row, whether it is tied to the row before. batch.codes, if there are any, become
/// what the keys of dropped rows carry. Pre: batch.keys are there. Cost: 1/4 byte per row, and a
/// pass over the keys of tied rows. Asynchronous. Throws ResourceError, DeviceError.
template <class Key, class Pos>
void drop_alike_async(SortedBatch<Key, Pos>& batch, const TextView& d_text,
                      DeviceBuffer<std::uint32_t>& tied, DeviceStream stream);

/// Drops such groups, of any size, writing their positions to `rows` as they are. Pre:
/// tied.size() > 0. Cost: 7 bytes and a gather per suffix, and a scan. Waits for the stream. Throws
/// ResourceError, DeviceError.
template <class Pos>
void drop_alike(TiedRows<Pos>& tied, const TextView& d_text, DeviceBuffer<Pos>& rows);

}  // namespace gsx::cuda

// The first sort: a batch of suffixes by their leading bits.
#pragma once

#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "kernels/index/sa/finished_rows.hpp"
#include "kernels/index/sa/rank_bit_vector.hpp"
#include "kernels/text/text_batches.hpp"

namespace gsx::cuda {

/// Rows that follow one another in the suffix array, with what the first sort knows of them.
template <class Key, class Pos>
struct SortedBatch {
  DeviceBuffer<Key> keys;  ///< ascending; those of suffixes not yet told apart are equal
  DeviceBuffer<Pos> rows;  ///< text positions
  /// The code before each suffix, or unknown_code; there once groups have been resolved.
  DeviceBuffer<std::uint8_t> codes;
};

/// Sorts a batch by its keys with one radix sort, stably: suffixes with equal keys are in text
/// order. Cost: 2 (sizeof(Key) + sizeof(Pos)) bytes per suffix while it runs. Asynchronous.
/// Throws ResourceError, DeviceError.
template <class Key, class Pos>
SortedBatch<Key, Pos> sort_batch_async(const TextBatches<Key>& batches, std::uint32_t batch,
                                       DeviceStream stream);

/// The same of those suffixes of the batch whose positions are samples; there may be none. Cost:
/// sizeof(Key) + sizeof(Pos) + 4 bytes per suffix of the batch while they are chosen. Waits for the
/// stream.
template <class Key, class Pos>
SortedBatch<Key, Pos> sort_samples(const TextBatches<Key>& batches, std::uint32_t batch,
                                   const RankBitVector& samples, DeviceStream stream);

/// Rows of the separators' suffixes, which come first.
template <class Pos>
DeviceBuffer<Pos> separator_rows_async(const TextView& d_text, DeviceStream stream);

}  // namespace gsx::cuda

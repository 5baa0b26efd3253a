// Which way of sorting fits the memory.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/text/keying.hpp"

namespace gsx::cuda {

/// Whether the first sort's keys are 32 bits wide and carry the code before (DNA), or 64.
constexpr bool has_short_keys(std::uint32_t symbol_bits) {
  return symbol_bits <= 2;
}

/// How to sort.
struct SortPlan {
  std::uint64_t batch_suffixes = 0;  ///< most suffixes sorted at once
  bool keep_rows = true;             ///< on the device until all are sorted
  int at_once = 1;                   ///< batches sorted at the same time, on streams of their own
  Keying keying = Keying::packed;
  bool alone = false;  ///< without the helpers, which lack memory
};

/// What is sorted.
struct SortShape {
  std::uint64_t length = 0;
  std::uint32_t symbol_bits = 0;
  std::uint32_t position_bytes = 4;
  std::uint64_t segments = 1;
  /// Bytes of the result that lie on the device at the same time: in all, and per suffix of a
  /// batch.
  std::uint64_t result_bytes = 0;
  std::uint32_t result_bytes_in_batch = 0;
  int most_at_once = 1;       ///< batches that may be sorted at the same time
  std::uint32_t helpers = 0;  ///< other GPUs, whose rows come to this one
};

/// Device bytes that sorting takes at its peak, text and result included, when half of a batch's
/// suffixes are tied after the first sort, and a quarter of them in large groups, as in a large
/// genome at worst; texts that repeat more take more, at most 55 bytes (71 where positions have 64
/// bits) per suffix of the batches that are sorted at the same time. Ranks of deep repeats come on
/// top where rows are not kept, and for a BWT: 0.8 bytes per symbol, and 42 per tied sample while
/// they are made; the texts that need them are few.
std::uint64_t sorting_bytes(const SortShape& shape, const SortPlan& plan);
/// The same for a GPU that only helps.
std::uint64_t helping_bytes(const SortShape& shape, const SortPlan& plan);

/// Plans in the order in which to try them: several batches at once if they are small, then one;
/// the rows of all batches kept on the device, then not kept, each with smaller and smaller
/// batches; all of them again without helpers, if there are some. Those that need more than
/// `budget` bytes are left out; none may be left.
std::vector<SortPlan> sort_plans(const SortShape& shape, std::uint64_t budget);

}  // namespace gsx::cuda

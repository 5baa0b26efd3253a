// The suffix array on the GPU, batch by batch.
#pragma once

#include <cstdint>
#include <span>

#include "base/progress.hpp"
#include "kernels/base/memory_pool.hpp"
#include "kernels/index/sa/finished_rows.hpp"
#include "kernels/index/sa/sort_plan.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// What becomes of sorted rows.
template <class Pos>
class RowConsumer {
 public:
  virtual ~RowConsumer() = default;
  /// Takes consecutive rows, final. Each row of the suffix array comes once; calls come in any
  /// order. Queues its work on the sorter's stream. d_rows stay valid until wait() says that they
  /// have left, so that a copy to the host may end later; d_codes are for that stream only.
  virtual void take(const FinishedRows<Pos>& rows) = 0;
  /// Whether codes of the rows are wanted too, where sorting has carried them along.
  virtual bool wants_codes() const { return false; }
  /// Whether rows are wanted in their order, or only so that the codes before them are right:
  /// suffixes that agree on all that has been compared and have the same code before them may then
  /// come in any order, which is never found out. Their d_rows, too, are for the stream only.
  virtual bool wants_order() const { return true; }
  /// Returns when the rows of at most `open` calls, the last ones, are still leaving the device.
  /// Throws what taking them failed with.
  virtual void wait(std::uint64_t open) = 0;
};

/// Another GPU that sorts some of the batches: its copy of the text, and its stream.
struct SortHelper {
  TextView d_text;
  DeviceStream stream;
};

/// What deep repeats took, counted: seconds depend on the machine.
struct RepeatWork {
  std::uint64_t ranked_rows = 0;  ///< that ranks told apart
  std::uint64_t compared = 0;     ///< most symbols of such a row that were fetched before
  std::uint32_t rankings = 0;     ///< how often rows, or samples, were ranked
};

/// Sorts the suffixes of a text in device memory into the total order of the text model, entry for
/// entry what the CPU builds, separators' rows included. Pos is 32 bits wide for texts shorter
/// than 2^32, or 64.
///
/// The text is scanned once for each batch of leading bits. A batch is radix sorted by its
/// suffixes' first symbols (paper: BWT by radix sort; about 16 bases, with the base before carried
/// along for the BWT). What is tied then fetches its next symbols from the text. Groups of up to
/// group_limit suffixes are sorted where they lie, by several keys in one launch
/// (kernels/index/sa/resolve.hpp); larger ones by a radix sort of their group's number and the key.
/// Sorted suffixes are never touched again, and a batch whose suffixes are all told apart leaves
/// for the consumer while the next one is sorted. A plan may have several batches
/// sorted at the same time, by threads with streams of their own; they queue on `stream` and call
/// the consumer one at a time, and `stream` must mean the same in each thread. Repeats too deep for
/// that are finished through ranks of sampled suffixes (kernels/index/sa/syncmer_ranks.hpp). These
/// are read from the rows of all batches once all are sorted, or, where the consumer does not want
/// their order, from their samples, sorted for it; a plan that does not keep rows drops the first
/// batch that needs ranks, sorts the samples of all batches, and then goes on with that one.
/// Helpers have the same text. Each takes the next batch when it is free; its rows go to the GPU of
/// `stream`, which has the result and the ranks.
/// Returns what deep repeats took. Throws ResourceError when a device has too little memory,
/// DeviceError, and what the consumer throws.
template <class Pos>
RepeatWork sort_suffixes(const TextView& d_text, const SortPlan& plan, RowConsumer<Pos>& consumer,
                         DeviceStream stream, const ProgressReport& progress,
                         std::span<const SortHelper> helpers = {});

}  // namespace gsx::cuda

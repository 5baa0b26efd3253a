// Read | search | write: batches in, text out, in input order.
#pragma once

#include <functional>
#include <string>

#include "base/output.hpp"
#include "seq/record_batch.hpp"

namespace gsx {

/// Fills a batch with the next queries; false when there are no more.
using NextBatch = std::function<bool(RecordBatch&)>;

/// Runs `workers` threads, each of which takes the next batch from `next`, turns it into text by
/// work(batch, text) and writes it when all earlier batches have been written. While one thread
/// reads, others search and another writes, and at most `workers` batches are in memory. The
/// output does not depend on `workers` or on where batches end.
/// An error stops all threads and is rethrown; everything written before it is right and in order.
void run_pipeline(const NextBatch& next, int workers, Output& out,
                  const std::function<void(const RecordBatch&, std::string&)>& work);

}  // namespace gsx

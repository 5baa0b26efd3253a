// How much of the queries of a run has been searched.
#pragma once

#include <atomic>
#include <cstdint>

#include "process/session.hpp"
#include "records/record_batch.hpp"

namespace gsx::app {

/// Tracks how much of the queries has been searched. Any thread may call it.
class SearchProgress {
 public:
  /// `input_bytes` is 0 if the size of the input is not known.
  SearchProgress(Session& session, std::uint64_t input_bytes)
      : session_(session), input_bytes_(input_bytes) {}

  void began(const RecordBatch& batch) { begun_ += batch.size(); }
  /// `bytes_read` are the bytes of all batches begun.
  void finished(const RecordBatch& batch, std::uint64_t bytes_read) {
    const std::uint64_t finished = finished_ += batch.size();
    session_.report("searching", part(finished, bytes_read), finished, "queries");
  }
  /// Reports the last ones, too, of which finished() does not hear.
  void finished_all() { session_.report("searching", 1, begun_, "queries"); }

 private:
  /// Unknown until a batch is done: the first may hold all queries, or a single query all the work.
  double part(std::uint64_t finished, std::uint64_t bytes_read) const {
    if (input_bytes_ == 0 || finished == 0) return -1;
    const double of_read = static_cast<double>(finished) / static_cast<double>(begun_);
    return of_read * static_cast<double>(bytes_read) / static_cast<double>(input_bytes_);
  }

  Session& session_;
  std::uint64_t input_bytes_;
  std::atomic<std::uint64_t> begun_{0};
  std::atomic<std::uint64_t> finished_{0};
};

}  // namespace gsx::app

#include "text/shard_source.hpp"

#include <algorithm>

namespace gsx {

bool ShardSource::begin_shard() {
  const std::lock_guard lock(mutex_);
  if (begun_ && waiting_.empty()) return false;
  if (begun_) first_file_ = std::min(last_file_ + 1, waiting_.front().file);
  begun_ = true;
  closed_ = false;
  has_indexed_ = false;
  given_ = 0;
  in_shard_ = 0;
  return true;
}

/// Gives what of a batch belongs to the shard, and keeps the rest for the next one. Pre: the mutex
/// is held, and it is the batch's turn.
bool ShardSource::give(RecordBatch& batch) {
  std::size_t end = 0;
  for (; end < batch.size(); ++end) {
    const bool begins = end != 0 || !batch.continues;
    if (begins && has_indexed_ && !ended_ && is_full_(in_shard_, in_all_)) break;
    has_indexed_ = has_indexed_ || has_indexed(batch.sequence(end));
    in_shard_ += batch.length(end);
    in_all_ += batch.length(end);
  }
  if (end < batch.size()) {
    RecordBatch rest;
    batch.move_from(end, rest);
    waiting_.push_front(std::move(rest));
    closed_ = std::ranges::any_of(
        waiting_, [&](const RecordBatch& later) { return has_indexed(later.symbols); });
    waits_ = !closed_;
  }
  if (end == 0) return false;
  last_file_ = batch.file;
  batch.file -= first_file_;
  batch.number = given_++;
  return true;
}

/// Takes the next batch that waits; false if none does, or none may be given yet.
bool ShardSource::take_waiting(RecordBatch& batch, bool& given) {
  if (waiting_.empty() || waits_) return false;
  batch = std::move(waiting_.front());
  waiting_.pop_front();
  given = give(batch);
  return true;
}

/// Keeps a batch that comes after a shard which is complete, or may be: it is if the batch has a
/// symbol that can be indexed.
bool ShardSource::keep(RecordBatch& batch) {
  if (waits_ && has_indexed(batch.symbols)) {
    waits_ = false;
    closed_ = true;
  }
  waiting_.push_back(std::move(batch));
  return false;
}

/// The reader has no more batches. If the shard waits for such a symbol in vain, what waits is its
/// own.
bool ShardSource::end() {
  if (!waits_ || in_flight_ != 0) return false;
  waits_ = false;
  ended_ = true;
  return true;
}

bool ShardSource::next(RecordBatch& batch) {
  try {
    return take(batch);
  } catch (...) {
    turns_.fail();  // whoever has a later batch would wait for this one
    const std::lock_guard lock(mutex_);
    closed_ = true;
    batch.number = given_;
    throw;
  }
}

bool ShardSource::take(RecordBatch& batch) {
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return false;
      bool given = false;
      if (take_waiting(batch, given)) {
        if (given) return true;
        continue;
      }
      ++in_flight_;
    }
    bool more = false;
    try {
      more = next_(batch);
    } catch (...) {
      turns_.wait_until(batch.number);  // what came before the error is given before it
      throw;
    }
    const OrderedTurns::Turn turn = more ? turns_.take(batch.number) : OrderedTurns::Turn();
    const std::lock_guard lock(mutex_);
    --in_flight_;
    if (!more) {
      if (end()) continue;
      return false;
    }
    if (!turn) return false;
    if (closed_ || waits_ ? keep(batch) : give(batch)) return true;
  }
}

}  // namespace gsx

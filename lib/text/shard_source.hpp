// Cuts the records of an input into shards as they come.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string_view>

#include "base/ordered_turns.hpp"
#include "records/record_batch.hpp"

namespace gsx {

/// Whether a shard is complete, so that the next record begins another one. `in_shard` and `in_all`
/// are the symbols of its records and of all records so far.
using IsShardFull = std::function<bool(std::uint64_t in_shard, std::uint64_t in_all)>;

/// Gives the batches of one shard after another. A shard ends where a record begins after is_full()
/// has become true; where batches end does not matter. Each shard has a symbol that can be
/// indexed: records without any are with those before them at the end of the input, and with those
/// behind them elsewhere. Holds at most a batch per thread, and records without such symbols that
/// begin after a full shard.
class ShardSource {
 public:
  /// `indexed` are the symbols that can be indexed; empty if all can.
  ShardSource(NextBatch next, IsShardFull is_full, std::string_view indexed)
      : next_(std::move(next)), is_full_(std::move(is_full)), indexed_(indexed) {}

  /// As SequenceReader::next, for the batches of the shard in progress, which are numbered from 0.
  /// The files of batches are numbered from the first one of the shard.
  bool next(RecordBatch& batch);

  /// Begins the next shard; false if the input has ended. Call it between runs of next(). Pre:
  /// none of its calls has thrown.
  bool begin_shard();
  /// The number of the first file of the shard.
  std::size_t first_file() const { return first_file_; }
  /// Whether no record is left. Call it between runs of next().
  bool has_ended() const { return waiting_.empty(); }

 private:
  bool take(RecordBatch& batch);
  bool give(RecordBatch& batch);
  bool take_waiting(RecordBatch& batch, bool& given);
  bool keep(RecordBatch& batch);
  bool end();
  bool has_indexed(std::string_view symbols) const {
    return indexed_.empty() ? !symbols.empty() : symbols.find_first_of(indexed_) != symbols.npos;
  }

  NextBatch next_;
  IsShardFull is_full_;
  std::string_view indexed_;
  OrderedTurns turns_;               ///< of the reader's batches
  std::mutex mutex_;                 ///< guards the members below
  std::deque<RecordBatch> waiting_;  ///< of shards to come
  std::uint64_t given_ = 0;          ///< batches of the shard
  std::uint64_t in_shard_ = 0;       ///< symbols of its records
  std::uint64_t in_all_ = 0;
  std::size_t first_file_ = 0;
  std::size_t last_file_ = 0;
  std::size_t in_flight_ = 0;  ///< batches that the reader has been asked for
  bool begun_ = false;
  bool has_indexed_ = false;  ///< whether the shard has a symbol that can be indexed
  bool waits_ = false;        ///< whether the shard ends before waiting_, if such a symbol comes
  bool closed_ = false;
  bool ended_ = false;  ///< whether no such symbol comes any more
};

}  // namespace gsx

// Puts records into a batch and decides where the batch ends.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "seq/record_batch.hpp"

namespace gsx {

/// A batch is full when its symbols, and 32 more for each record after the first, reach the limit;
/// so neither long sequences nor millions of empty ones make a giant batch. Whole records are kept
/// together unless `split`: then `symbols` never exceeds the limit.
class BatchFiller {
 public:
  BatchFiller(std::uint64_t batch_symbols, bool split)
      : limit_(std::max<std::uint64_t>(batch_symbols, 1)), split_(split) {}

  /// Empties `batch` and fills it from now on; it outlives the filling.
  void start(RecordBatch& batch);

  /// Whether the batch must go out before another record begins.
  bool full() const { return batch_->size() != 0 && weight() + record_weight >= limit_; }

  /// Whether a record of `symbols` symbols may begin here and be added in one piece.
  bool takes_whole(std::uint64_t symbols) const {
    return !split_ || symbols <= (batch_->size() == 0 ? limit_ : room() - record_weight);
  }

  /// How many symbols may be added to the record that is open.
  std::uint64_t room() const {
    if (!split_) return std::numeric_limits<std::uint64_t>::max();
    return limit_ - std::min(limit_, weight());
  }

  /// Opens a record. `header` is its line without the mark and the line end: the name up to the
  /// first blank, blanks, and the comment. Pre: !full().
  void begin_record(std::string_view header);

  /// Adds symbols to the open record, and first repeats its name where the batch is a new one.
  /// Pre: at least one symbol and at most room().
  void append(std::string_view symbols) {
    if (batch_->size() == 0) continue_record();
    batch_->append(symbols);
  }

  /// Adds the symbols that `write` puts at its argument, where there is space for `most`; it
  /// returns how many, none too. Pre: most <= room().
  template <class Write>
  void append_written(std::size_t most, Write write) {
    std::string& symbols = batch_->symbols;
    const std::size_t before = symbols.size();
    symbols.resize(before + most);
    const std::size_t written = write(symbols.data() + before);
    symbols.resize(before + written);
    if (written == 0) return;
    if (batch_->size() == 0) continue_record();
    batch_->symbol_ends.back() = symbols.size();
  }

 private:
  /// Roughly what a record's name and ends take, in bytes.
  static constexpr std::uint64_t record_weight = 32;

  /// Pre for all arithmetic: sizes of memory in use, so nothing here overflows 64 bits.
  std::uint64_t weight() const {
    const std::uint64_t records = batch_->size();
    return batch_->symbols.size() + record_weight * (records - (records != 0 ? 1 : 0));
  }

  void continue_record();

  std::uint64_t limit_;
  bool split_;
  RecordBatch* batch_ = nullptr;
  std::string header_;         ///< of the open record; kept only where it may be split
  std::uint64_t records_ = 0;  ///< begun so far, over all batches
};

}  // namespace gsx

// What a command searches with patterns of bases: an index, or sequences.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/shards/whole_index.hpp"
#include "index/store/index.hpp"
#include "inputs/reference_text.hpp"
#include "options/numbers.hpp"
#include "process/session.hpp"
#include "search/mismatches/mismatches.hpp"
#include "text/text.hpp"

namespace gsx::app {

/// How to open one.
struct DnaTargetRequest {
  std::string command;                   ///< for messages
  std::string index;                     ///< unless there are references
  std::vector<std::string> references;   ///< sequences to search themselves
  std::vector<std::string> other_files;  ///< that the run reads
  SizeLimit memory_limit;
  ReferenceOptions reading = {};
};

class DnaTarget {
 public:
  /// Opens the index or reads the references. Throws UsageError if it is not DNA, or not one of
  /// the two, or if two of the files are standard input.
  static DnaTarget open(const DnaTargetRequest& request, Session& session);

  /// Of an index in shards, the text is put together at the first call.
  TextView text() const { return index_ ? index_->text() : text_->view(); }
  /// The length of the text.
  std::uint64_t symbols() const { return index_ ? index_->meta().length : text_->length(); }
  RecordsView records() const { return index_ ? index_->records() : text_->records_view(); }
  MismatchTarget mismatch_target() const {
    return {text(), index_ ? whole_or_null(*index_) : nullptr};
  }
  /// Throws CorruptIndexError if the file of the index has changed.
  void require_unchanged() const {
    if (index_) index_->require_unchanged();
  }
  /// Bytes of memory that it holds, with the text.
  std::uint64_t bytes() const;

 private:
  std::optional<Index> index_;
  std::unique_ptr<Text> text_;
};

/// How the memory of a search is divided.
struct DnaSearchMemory {
  SearchMemory search;
  std::uint64_t table_bytes = 0;  ///< for what the command holds beside
};
/// `what` is that which takes the memory, for messages, and `held` are bytes that the command holds
/// already, beside the target. With a limit, what is freed from now on returns to the system.
/// Throws ResourceError that gives the least limit. Call it first before the text is asked for, so
/// that a limit which is too small for the text of shards is refused before that takes its memory,
/// and what is freed meanwhile returns. It may be called again, for other `held`: with a limit, the
/// text counts once, there or not; without one, it counts as soon as it is there.
DnaSearchMemory plan_memory(const SizeLimit& given, const char* what, const DnaTarget& target,
                            int threads, std::uint64_t held = 0);

}  // namespace gsx::app

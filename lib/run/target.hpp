// What a run searches: an index, in one file or in shards, or a text of sequences.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "device/shards/whole_index.hpp"
#include "index/store/index.hpp"
#include "search/mismatches/mismatches.hpp"
#include "text/record_source.hpp"
#include "text/text.hpp"

namespace gsx {

/// An index or a text, and what both have: symbols, records and an alphabet.
class Target {
 public:
  /// Becomes another owner of the index.
  explicit Target(const Index& index) : index_(index.share()) {}
  /// Refers to the text, whose memory must outlive the target.
  explicit Target(const Text& text) : views_{text.view(), text.records_view(), &text.alphabet} {}
  /// Owns the text.
  explicit Target(Text&& text) : owned_(std::make_unique<const Text>(std::move(text))) {
    views_ = Target(*owned_).views_;
  }

  /// Null for a text.
  const Index* index() const { return index_ ? &*index_ : nullptr; }
  /// Of an index in shards, the text is put together at the first call.
  TextView text() const { return index_ ? index_->text() : views_.text; }
  /// Those of the text, which need not be put together for them.
  SegmentsView segments() const { return index_ ? index_->fm().segments : views_.text.segments; }
  /// The length of the text.
  std::uint64_t symbols() const { return index_ ? index_->meta().length : views_.text.length(); }
  RecordsView records() const { return index_ ? index_->records() : views_.records; }
  const Alphabet& alphabet() const { return index_ ? index_->alphabet() : *views_.alphabet; }
  RecordSource source() const { return {text(), records(), &alphabet()}; }
  /// An index in shards is searched as a text.
  MismatchTarget for_mismatches() const {
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
  std::unique_ptr<const Text> owned_;
  RecordSource views_ = {};  ///< of a text
};

/// The target. Throws UsageError unless it is of DNA. `search` is what needs it, for the message:
/// "a search for guides".
Target of_dna(Target target, const char* search);

/// Throws UsageError for more than most_mismatches.
void require_mismatches(std::uint32_t mismatches);

/// How the memory of a search with patterns of bases is divided.
struct DnaSearchMemory {
  SearchMemory search;
  std::uint64_t table_bytes = 0;  ///< for what is held beside it
};
/// What such a search asks for.
struct DnaMemoryRequest {
  std::uint64_t limit = unlimited;       ///< bytes that may be allocated
  std::string limited_by = "the limit";  ///< what set the limit, for messages
  std::string work = "the search";       ///< that takes the memory, for messages
  int threads = 1;
  std::uint64_t held = 0;  ///< bytes that are held already, beside the target
};
/// Without a limit, tables may take three quarters of the memory that is free. Throws ResourceError
/// that gives the least limit. Call it first before the text is asked for, so that a limit which is
/// too small for the text of shards is refused before that takes its memory. It may be called
/// again, for other `held`: with a limit, the text counts once, there or not; without one, it
/// counts as soon as it is there.
DnaSearchMemory plan_dna_search(const DnaMemoryRequest& request, const Target& target);
/// Bytes for tables without a limit.
std::uint64_t free_table_bytes(int threads);

}  // namespace gsx

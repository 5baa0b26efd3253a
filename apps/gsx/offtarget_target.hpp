// What gsx offtarget searches: an index, or sequences.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "offtarget_options.hpp"
#include "scan/mismatches.hpp"
#include "session.hpp"
#include "store/index.hpp"
#include "text/text.hpp"

namespace gsx::app {

class OfftargetTarget {
 public:
  /// Opens the index, which may be the first of options.guides and is removed from them then, or
  /// reads options.references. Throws UsageError if that is not one of the two, or not DNA, or
  /// there are no guides.
  static OfftargetTarget open(OfftargetOptions& options, Session& session);

  TextView text() const { return index_ ? index_->text() : text_->view(); }
  RecordsView records() const { return index_ ? index_->records() : text_->records_view(); }
  MismatchTarget mismatch_target() const { return {text(), index_ ? &*index_ : nullptr}; }
  /// Throws CorruptIndexError if the file of the index has changed.
  void require_unchanged() const {
    if (index_) index_->require_unchanged();
  }
  /// The files that are read, guides included.
  const std::vector<std::string>& files_read() const { return files_; }
  /// Bytes of memory that it holds.
  std::uint64_t bytes() const;

 private:
  std::optional<Index> index_;
  std::unique_ptr<Text> text_;
  std::vector<std::string> files_;
};

/// How the memory of a run is divided.
struct OfftargetMemory {
  SearchMemory search;
  std::uint64_t table_bytes = 0;
  std::uint64_t joined_hits = 0;  ///< hits of a guide that may be held to join those of its PAMs
};
/// Throws ResourceError that gives the least limit.
OfftargetMemory plan_memory(const OfftargetOptions& options, const OfftargetTarget& target,
                            int threads);

}  // namespace gsx::app

// What a command searches with patterns of bases: an index, or sequences.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "numbers.hpp"
#include "scan/mismatches.hpp"
#include "session.hpp"
#include "store/index.hpp"
#include "text/text.hpp"

namespace gsx::app {

/// How to read references.
struct ReferenceOptions {
  bool allow_no_eof = false;
  bool whole_header = false;
};
/// Adds these options, which need `reference`: that for references.
void add_reference_options(CLI::App& command, ReferenceOptions& options, CLI::Option* reference);

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

  TextView text() const { return index_ ? index_->text() : text_->view(); }
  RecordsView records() const { return index_ ? index_->records() : text_->records_view(); }
  MismatchTarget mismatch_target() const { return {text(), index_ ? &*index_ : nullptr}; }
  /// Throws CorruptIndexError if the file of the index has changed.
  void require_unchanged() const {
    if (index_) index_->require_unchanged();
  }
  /// The files that are read, the others included.
  const std::vector<std::string>& files_read() const { return files_; }
  /// Bytes of memory that it holds.
  std::uint64_t bytes() const;

 private:
  std::optional<Index> index_;
  std::unique_ptr<Text> text_;
  std::vector<std::string> files_;
};

/// How the memory of a search is divided.
struct DnaSearchMemory {
  SearchMemory search;
  std::uint64_t table_bytes = 0;  ///< for what the command holds beside
};
/// `what` is that which takes the memory, for messages. With a limit, what is freed from now on
/// returns to the system. Throws ResourceError that gives the least limit.
DnaSearchMemory plan_memory(const SizeLimit& given, const char* what, const DnaTarget& target,
                            int threads);

}  // namespace gsx::app

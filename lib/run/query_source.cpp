#include "run/query_source.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/out_of_memory.hpp"
#include "bytes/source_error.hpp"
#include "records/formats/byte_source.hpp"
#include "records/sequence_file.hpp"

namespace gsx {
namespace {

/// Marks batches of patterns, which do not come from a QUERY file.
constexpr std::size_t no_file = ~std::size_t{0};

void check_names(const std::vector<std::string>& files) {
  require_one_standard_input(files);
  if (std::count(files.begin(), files.end(), "") > 0) {
    throw UsageError(
        "the name of a file with queries is empty; name a file, or '-' for standard input");
  }
}

}  // namespace

std::vector<std::string> QueryInputs::all_files() const {
  std::vector<std::string> all = pattern_files;
  all.insert(all.end(), files.begin(), files.end());
  return all;
}

QuerySource::QuerySource(QueryInputs inputs, const ReaderOptions& reading, bool tag_files)
    : inputs_(std::move(inputs)),
      tag_files_(tag_files),
      most_(reading.record_bytes),
      patterns_given_(inputs_.patterns.empty()) {
  const std::vector<std::string> files = inputs_.all_files();
  check_names(files);
  if (!files.empty()) reader_.emplace(files, reading);
}

bool QuerySource::next(RecordBatch& batch) {
  if (!give_patterns(batch) && !(reader_ && next_from_files(batch))) return false;
  refuse_long(batch);
  return true;
}

void QuerySource::refuse_long(const RecordBatch& batch) const {
  if (batch.symbol_count() <= most_) return;
  std::size_t longest = 0;
  for (std::size_t i = 1; i < batch.size(); ++i)
    if (batch.length(i) > batch.length(longest)) longest = i;
  if (batch.length(longest) <= most_) return;
  throw LongQueryError(batch.name(longest), most_);
}

/// Gives the patterns of -p, once; false after that.
bool QuerySource::give_patterns(RecordBatch& batch) {
  if (patterns_given_.load(std::memory_order_relaxed) || patterns_given_.exchange(true))
    return false;
  batch.clear();
  for (const std::string& pattern : inputs_.patterns) {
    batch.begin_record(pattern, "");
    batch.append(pattern);
  }
  batch.number = 0;
  batch.file = no_file;
  return true;
}

bool QuerySource::next_from_files(RecordBatch& batch) {
  const std::uint64_t before = inputs_.patterns.empty() ? 0 : 1;
  try {
    if (!reader_->next(batch)) return false;
  } catch (...) {
    batch.number += before;
    throw;
  }
  batch.number += before;
  if (is_list(batch.format) && batch.first_in_source == 1 &&
      batch.file >= inputs_.pattern_files.size()) {
    const std::lock_guard lock(noting_);
    taken_as_lists_.insert(*batch.source);
  }
  if (batch.file < inputs_.pattern_files.size()) {
    batch.file = no_file;
  } else {
    batch.file -= inputs_.pattern_files.size();
    if (tag_files_) batch.end_names('/' + std::to_string(batch.file + 1));
  }
  return true;
}

bool QuerySource::is_quick() const {
  const std::vector<std::string> files = inputs_.all_files();
  return std::ranges::all_of(files, [](const std::string& file) {
    std::error_code none;
    if (file == "-" || !std::filesystem::is_regular_file(file, none)) return false;
    try {
      return ByteSource::kind_of_file(file) == FileKind::plain;
    } catch (const SourceError& error) {
      throw input_error(printable(file), 0, {}, 0, "cannot read it: " + std::string(error.what()));
    }
  });
}

std::vector<std::string> QuerySource::empty_files() const {
  return reader_ ? reader_->empty_files() : std::vector<std::string>();
}

std::vector<std::string> QuerySource::list_notes() const {
  std::vector<std::string> notes;
  for (const std::string& file : taken_as_lists_)
    notes.push_back(file + ": the file is read as a list, with a query per line");
  if (!reader_) return notes;
  const std::vector<std::string> columns = reader_->list_notes();
  notes.insert(notes.end(), columns.begin(), columns.end());
  return notes;
}

}  // namespace gsx

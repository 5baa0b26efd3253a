#include "query_source.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/out_of_memory.hpp"
#include "device_choice.hpp"
#include "seq/byte_source.hpp"
#include "seq/sequence_file.hpp"
#include "seq/source_error.hpp"

namespace gsx::app {
namespace {

/// Marks batches that do not come from a FASTA or FASTQ file.
constexpr std::size_t no_file = ~std::size_t{0};

void check_names(const std::vector<std::string>& files) {
  require_one_standard_input(files);
  if (std::count(files.begin(), files.end(), "") > 0) {
    throw UsageError(
        "the name of a file with queries is empty; name a file, or '-' for standard "
        "input");
  }
}

}  // namespace

std::vector<std::string> QueryInputs::all_files() const {
  std::vector<std::string> all = pattern_files;
  all.insert(all.end(), files.begin(), files.end());
  return all;
}

QuerySource::QuerySource(QueryInputs inputs, const QueryReading& reading)
    : inputs_(std::move(inputs)),
      tag_files_(reading.tag_files),
      most_(reading.query_bytes),
      lists_(inputs_.pattern_files, reading.batch_bytes, reading.query_bytes, reading.batch_size) {
  check_names(inputs_.all_files());
  if (inputs_.files.empty()) return;
  reader_.emplace(inputs_.files, ReaderOptions{.threads = reading.threads,
                                               .block_bytes = reading.batch_bytes,
                                               .split_records = false,
                                               .keep_qualities = reading.qualities,
                                               .record_bytes = reading.query_bytes,
                                               .header_bytes = reading.query_bytes,
                                               .whole_header = reading.whole_header,
                                               .allow_empty = true,
                                               .hands_over = reading.hands_over,
                                               .size = reading.batch_size,
                                               .times = reading.times,
                                               .path = reading.path,
                                               .decoding = reading.decoding});
}

bool QuerySource::next(RecordBatch& batch) {
  const bool listed = !listed_all_.load(std::memory_order_acquire) && next_listed(batch);
  if (!listed && !(reader_ && next_from_files(batch))) return false;
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

/// Throws what is being handled, now and at every later call.
void QuerySource::fail_on_list(RecordBatch& batch) {
  batch.number = listed_;
  failure_ = std::current_exception();
  throw;
}

/// Gives the patterns of -p and of the lists; false if there are no more.
bool QuerySource::next_listed(RecordBatch& batch) {
  const std::lock_guard lock(taking_);
  batch.clear();
  batch.number = listed_;
  if (failure_) std::rethrow_exception(failure_);
  if (!std::exchange(patterns_given_, true) && !inputs_.patterns.empty()) {
    for (const std::string& pattern : inputs_.patterns) {
      batch.begin_record(pattern, "");
      batch.append(pattern);
    }
  } else {
    try {
      if (!lists_.next(batch)) {
        listed_all_.store(true, std::memory_order_release);
        return false;
      }
    } catch (const std::bad_alloc&) {  // maybe inside a pattern
      batch.clear();
      fail_on_list(batch);
    } catch (...) {
      if (batch.size() == 0) fail_on_list(batch);
      failure_ = std::current_exception();  // the patterns before the bad line come first
    }
  }
  batch.number = listed_++;
  batch.file = no_file;
  return true;
}

bool QuerySource::next_from_files(RecordBatch& batch) {
  try {
    if (!reader_->next(batch)) return false;
  } catch (...) {
    batch.number += listed_;
    throw;
  }
  batch.number += listed_;
  if (tag_files_) batch.end_names('/' + std::to_string(batch.file + 1));
  return true;
}

bool QuerySource::is_quick() const {
  const std::vector<std::string> files = inputs_.all_files();
  if (files.empty()) return true;
  return bytes_of_files(files) != 0 && std::ranges::all_of(files, [](const std::string& file) {
           try {
             return ByteSource::kind_of_file(file) == FileKind::plain;
           } catch (const SourceError& error) {
             throw input_error(printable(file), 0, {}, 0,
                               "cannot read it: " + std::string(error.what()));
           }
         });
}

std::vector<std::string> QuerySource::empty_files() const {
  std::vector<std::string> empty = lists_.empty_files();
  if (reader_) {
    const auto more = reader_->empty_files();
    empty.insert(empty.end(), more.begin(), more.end());
  }
  return empty;
}

}  // namespace gsx::app

// Joins the blocks of an input, which threads have parsed in any order, to batches of records.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "records/block_queue.hpp"
#include "records/record_batch.hpp"
#include "records/record_parser.hpp"
#include "records/sequence_reader.hpp"

namespace gsx {

/// A block and its state while one thread works on it.
struct BlockWork : TakenBlock {
  std::unique_ptr<RecordParser> parser;  ///< has parsed the block, if its start is known
};

/// Lets the batch keep what the options say.
void keep_as_asked(RecordBatch& batch, const ReaderOptions& options);

/// Whether the batch of the block gets the lines of its symbols. For a list that costs nothing.
bool keeps_lines(const BlockWork& work, const ReaderOptions& options);

ResourceError no_memory_to_read(const std::string& label);

/// Joins parsed blocks in input order: the state of the parse after the last of them.
class BlockChain {
 public:
  /// `options` must outlive it, and may change before the first block.
  explicit BlockChain(const ReaderOptions& options)
      : options_(options), number_(options.first_number) {}

  std::uint64_t number() const { return number_; }
  /// The error that follows the last batch, if there is one.
  std::exception_ptr error() const { return error_; }
  /// Whether the last record of the batches lacks its end.
  bool has_open_record() const {
    return options_.split_records && in_file_ && parser_->has_open_record();
  }

  /// Makes the next batch of a block and the records parsed from it into `batch`; the batch may be
  /// empty. Throws InputError or ResourceError. The part of a block before an error becomes a batch
  /// of its own, so that what comes before the first error of an input does not depend on the
  /// blocks.
  void add(BlockWork& work, RecordBatch& batch);

 private:
  void join(BlockWork& work, RecordBatch& batch);
  void warn_of_unlike_headers(const SequenceFile& file) const;
  void refuse_open_record(const BlockWork& work);
  void refuse_long_records(const BlockWork& work, RecordBatch& batch);
  void fail_on_long_record(const BlockWork& work, std::uint64_t record, std::string_view name);
  bool is_complete(const BlockWork& work) const;

  const ReaderOptions& options_;
  std::uint64_t number_;          ///< of the next batch
  std::uint64_t records_ = 0;     ///< records begun in the batches so far
  std::uint64_t file_begin_ = 0;  ///< records before the current file
  std::exception_ptr error_;
  std::unique_ptr<RecordParser> parser_;
  bool in_file_ = false;  ///< whether the parser has a file whose end it has not seen
  RecordBatch open_;  ///< if records are kept whole: the record that the last block left incomplete
};

}  // namespace gsx

#include "records/block_chain.hpp"

#include <spdlog/fmt/fmt.h>

#include <new>
#include <utility>

#include "base/out_of_memory.hpp"
#include "records/reading_warning.hpp"

namespace gsx {

void keep_as_asked(RecordBatch& batch, const ReaderOptions& options) {
  batch.lines.keep(options.split_records);
  batch.keeps_qualities = options.keep_qualities;
  batch.bytes.keep(options.keep_bytes);
  batch.bases.keep(options.pack_bases);
}

bool keeps_lines(const BlockWork& work, const ReaderOptions& options) {
  return (options.split_records || is_list(work.file->format())) && work.file->has_lines();
}

ResourceError no_memory_to_read(const std::string& label) {
  return ResourceError(label +
                       ": out of memory while it is read; use fewer threads (-t), or a "
                       "machine with more memory");
}

void BlockChain::add(BlockWork& work, RecordBatch& batch) {
  try {
    join(work, batch);
  } catch (const ParseError& error) {
    const bool short_memory = dynamic_cast<const ShortMemoryError*>(&error) != nullptr;
    const bool unreadable = dynamic_cast<const UnreadableError*>(&error) != nullptr;
    const std::string note = short_memory || unreadable ? "" : work.file->note_on_damage();
    const InputError placed =
        input_error(work.file->label(), parser_->record(), parser_->name(),
                    work.file->has_lines() ? parser_->line() : 0, error.what() + note);
    error_ = short_memory ? std::make_exception_ptr(OutOfMemoryError(placed.what()))
                          : std::make_exception_ptr(placed);
    if (!options_.split_records && parser_->has_open_record()) batch.drop_last();
  } catch (const std::bad_alloc&) {
    throw no_memory_to_read(work.file ? work.file->label() : "the input");
  }
  batch.number = number_;
  batch.file = work.file_number;
  batch.format = work.file->format();
  if (work.block.start == BlockStart::file) file_begin_ = records_;
  if (options_.short_records) refuse_long_records(work, batch);
  if (error_ && batch.size() == 0) std::rethrow_exception(error_);
  if (batch.size() == 0) return;
  batch.first_record = records_ - (batch.continues ? 1 : 0);
  batch.first_in_source = batch.first_record - file_begin_ + 1;
  batch.source = work.file->shared_label();
  records_ = batch.first_record + batch.size();
  ++number_;
}

void BlockChain::join(BlockWork& work, RecordBatch& batch) {
  Block& block = work.block;
  const bool begins_file = block.start == BlockStart::file;
  keep_as_asked(open_, options_);
  if (work.parser && (begins_file || parser_->is_at(block.start))) {
    if (!begins_file) {
      batch.lines.follow(parser_->line());
      work.parser->follow(*parser_);
    }
    parser_ = std::move(work.parser);
    in_file_ = true;
    if (work.failure) std::rethrow_exception(work.failure);
  } else {
    if (!work.parser && work.failure) std::rethrow_exception(work.failure);
    if (block.passed_on) work.file->load(block);
    std::swap(batch, open_);
    open_.clear();
    batch.lines.keep(keeps_lines(work, options_));
    batch.bytes.begin_text(block.text);
    parser_->parse(block.text, batch);
  }
  if (block.lacks_memory) throw ShortMemoryError(block.failure);
  if (!block.failure.empty()) throw UnreadableError(block.failure);
  if (block.last) {
    parser_->finish(batch);
    in_file_ = false;
    warn_of_unlike_headers(*work.file);
  } else if (!options_.split_records && !is_complete(work)) {
    batch.move_last_to(open_);
    refuse_open_record(work);
  }
}

void BlockChain::warn_of_unlike_headers(const SequenceFile& file) const {
  const std::uint64_t count = parser_->unlike_headers();
  if (count == 0) return;
  warn_of_reading(
      options_.decoding,
      fmt::format("{}: the '+' line of {} record{} differs from the header (first: record {}); "
                  "names are those of the headers",
                  file.label(), count, count == 1 ? "" : "s", parser_->first_unlike()));
}

/// Refuses the record that the block has left incomplete, if it is too long already.
void BlockChain::refuse_open_record(const BlockWork& work) {
  // If only a header is incomplete, its parser refuses it when it is too long, and what is kept
  // of the record before it is a whole one.
  const bool in_header = !parser_->has_open_record() && parser_->is_inside_record();
  if (in_header || open_.size() == 0) return;
  const std::uint64_t header =
      open_.bytes.are_kept() ? 0 : open_.names.size() + open_.comments.size();
  const std::uint64_t held =
      header + open_.symbols.size() + open_.qualities.size() + open_.bytes.size();
  if (held <= options_.record_bytes) return;
  if (!options_.short_records) throw LongQueryError(open_.name(0), options_.record_bytes);
  fail_on_long_record(work, parser_->record(), open_.name(0));
}

/// Ends the batch before its first record that is too long. A list's parser has told by the lines.
void BlockChain::refuse_long_records(const BlockWork& work, RecordBatch& batch) {
  if (is_list(work.file->format())) return;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::uint64_t bytes = batch.name(i).size() + batch.comment(i).size() + batch.length(i);
    if (bytes <= options_.record_bytes) continue;
    fail_on_long_record(work, records_ - file_begin_ + i + 1, batch.name(i));
    RecordBatch rest;
    batch.move_from(i, rest);
  }
}

void BlockChain::fail_on_long_record(const BlockWork& work, std::uint64_t record,
                                     std::string_view name) {
  error_ = std::make_exception_ptr(
      input_error(work.file->label(), record, name, 0,
                  "it has more than " + std::to_string(options_.record_bytes) + " bytes"));
}

/// Whether the last record ends with the block. In FASTA, only what follows the block can tell,
/// and of empty lines behind a record, too.
bool BlockChain::is_complete(const BlockWork& work) const {
  if (is_list(work.file->format())) return true;  // its parser keeps the part of a line
  if (work.file->format() == SequenceFormat::fasta) return work.block.ends_before_start;
  return !parser_->is_inside_record() && (work.block.ends_before_start || !options_.keep_bytes);
}

}  // namespace gsx

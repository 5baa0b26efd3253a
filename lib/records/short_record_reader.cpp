#include "records/short_record_reader.hpp"

#include <utility>

#include "base/error.hpp"

namespace gsx {

ShortRecordReader::ShortRecordReader(std::vector<std::string> paths, ListForm lists) {
  if (paths.empty()) return;
  reader_.emplace(std::move(paths),
                  ReaderOptions{.block_bytes = std::uint64_t{1} << 18,
                                .short_records = true,
                                .record_bytes = most_bytes,
                                .refuse_fastq_in_fasta = true,
                                .allow_empty = true,
                                .decoding = {.allow_no_eof = true, .lists = lists}});
}

bool ShortRecordReader::has_next(bool any) {
  if (at_ < read_.size()) return true;
  at_ = 0;
  read_.clear();
  try {
    return reader_ && reader_->next(read_);
  } catch (const Error&) {
    if (!any) throw;
    return false;
  }
}

std::vector<std::string> ShortRecordReader::empty_files() const {
  return reader_ ? reader_->empty_files() : std::vector<std::string>();
}

std::vector<std::string> ShortRecordReader::list_notes() const {
  return reader_ ? reader_->list_notes() : std::vector<std::string>();
}

}  // namespace gsx

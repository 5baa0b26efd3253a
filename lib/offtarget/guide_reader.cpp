#include "offtarget/guide_reader.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/out_of_memory.hpp"

namespace gsx {

GuideReader::GuideReader(std::vector<std::string> paths) {
  if (paths.empty()) return;
  reader_.emplace(std::move(paths),
                  ReaderOptions{.block_bytes = std::uint64_t{1} << 18,
                                .short_lines = true,
                                .record_bytes = longest_guide,
                                .header_bytes = longest_guide,
                                .refuse_fastq_in_fasta = true,
                                .allow_empty = true,
                                .decoding = {.allow_no_eof = true, .lists = ListForm::named}});
}

bool GuideReader::next(RecordBatch& batch, std::size_t most, std::uint64_t most_symbols) {
  while (batch.size() < most && batch.symbols.size() < most_symbols) {
    if (at_ == read_.size() && !read_more(batch.size() != 0)) break;
    batch.begin_record(read_.name(at_), "");
    batch.append(read_.sequence(at_++));
  }
  return batch.size() != 0;
}

/// Reads some guides; false if there are none, or, where there are `any` to be given first, before
/// an error.
bool GuideReader::read_more(bool any) {
  at_ = 0;
  read_.clear();
  if (!reader_) return false;
  try {
    return reader_->next(read_);
  } catch (const LongQueryError&) {
    if (any) return false;  // the next call throws again
    throw InputError("a guide, or its line, is too long: more than " +
                     std::to_string(longest_guide) + " bytes");
  } catch (const Error&) {
    if (!any) throw;
    return false;
  }
}

std::vector<std::string> GuideReader::empty_files() const {
  return reader_ ? reader_->empty_files() : std::vector<std::string>();
}

std::vector<std::string> GuideReader::list_notes() const {
  return reader_ ? reader_->list_notes() : std::vector<std::string>();
}

}  // namespace gsx

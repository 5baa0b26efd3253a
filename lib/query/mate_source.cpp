#include "query/mate_source.hpp"

namespace gsx {

MateSource::MateSource(const std::string& first, const std::string& second,
                       const ReaderOptions& options)
    : files_{SequenceReader({first}, options), SequenceReader({second}, options)} {
  require_one_standard_input({first, second});
}

int MateSource::choose() const {
  for (const int file : {0, 1}) {
    const Progress &one = progress_[file], &other = progress_[1 - file];
    if (!one.ended) continue;
    const bool is_whole = one.asked == 0;
    return other.ended || (is_whole && other.records > one.records) ? -1 : 1 - file;
  }
  return progress_[0].expected() <= progress_[1].expected() ? 0 : 1;
}

bool MateSource::next(RecordBatch& batch) {
  for (;;) {
    int file = 0;
    {
      const std::lock_guard lock(mutex_);
      file = failed_ ? -1 : choose();
      if (file < 0) return false;
      ++progress_[file].asked;
    }
    bool more = false;
    try {
      more = files_[file].next(batch);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failed_ = true;
      batch.number = batches_++;
      throw;
    }
    const std::lock_guard lock(mutex_);
    Progress& progress = progress_[file];
    --progress.asked;
    if (!more) {
      progress.ended = true;
      continue;
    }
    progress.records += batch.size();
    ++progress.batches;
    batch.file = static_cast<std::size_t>(file);
    batch.number = batches_++;
    return true;
  }
}

std::vector<std::string> MateSource::empty_files() const {
  std::vector<std::string> empty = files_[0].empty_files();
  for (const std::string& file : files_[1].empty_files())
    empty.push_back(file);
  return empty;
}

}  // namespace gsx

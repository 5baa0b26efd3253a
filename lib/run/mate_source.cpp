#include "run/mate_source.hpp"

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
    const std::uint64_t enough = one.records + (one.error ? 0 : 1);
    return other.ended || (is_whole && other.records >= enough) ? -1 : 1 - file;
  }
  return progress_[0].expected() <= progress_[1].expected() ? 0 : 1;
}

std::exception_ptr MateSource::first_error() const {
  const auto& [one, other] = progress_;
  if (!one.error || !other.error) return one.error ? one.error : other.error;
  return one.records <= other.records ? one.error : other.error;
}

bool MateSource::next(RecordBatch& batch) {
  std::unique_lock lock(mutex_);
  for (;;) {
    const int file = choose();
    if (file < 0) {
      const std::exception_ptr error = first_error();
      if (!error) return false;
      if (progress_[0].asked + progress_[1].asked == 0) {
        batch.number = batches_++;
        std::rethrow_exception(error);
      }
      returned_.wait(lock);  // what other threads are given comes before the error
      continue;
    }
    Progress& progress = progress_[file];
    ++progress.asked;
    lock.unlock();
    bool more = false;
    std::exception_ptr error;
    try {
      more = files_[file].next(batch);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    --progress.asked;
    returned_.notify_all();
    if (error) progress.error = error;
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

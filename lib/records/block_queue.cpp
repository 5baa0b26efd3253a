#include "records/block_queue.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace gsx {
namespace {

/// Files that may be open at once, besides the first: few where descriptors are, because the rest
/// of the program opens files, too.
std::size_t most_open_ahead() {
  constexpr std::size_t most = 8;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return most;
  return static_cast<std::size_t>(std::min<rlim_t>(most, limit.rlim_cur / 8));
}

}  // namespace

struct BlockQueue::OpenFile {
  /// A block that has been read, or the error in its place.
  struct Ready {
    Block block;
    std::uint64_t position = 0;  ///< of the file, behind the block
    std::exception_ptr failure;
  };
  std::shared_ptr<SequenceFile> file;
  std::size_t number = 0;
  bool empty = false;  ///< whether it holds no records
  bool busy = false;   ///< whether a thread reads from it
  bool ended = false;  ///< whether all its blocks have been read
  std::deque<Ready> ready;
};

BlockQueue::BlockQueue(std::vector<std::string> paths, const Options& options)
    : paths_(std::move(paths)),
      options_(options),
      room_(options.threads > 1 ? static_cast<std::size_t>(options.threads) : 0) {}

BlockQueue::~BlockQueue() {
  if (!ahead_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  ahead_.join();
}

void BlockQueue::read_ahead(std::uint64_t bytes, StageTimes* times) {
  const auto most =
      static_cast<std::size_t>(bytes / std::max<std::uint64_t>(options_.block_bytes, 1));
  if (room_ == 0 || most == 0) return;
  try {
    ahead_ = std::thread([this, most, times] { run_ahead(most, times); });
  } catch (const std::system_error&) {
    // No thread can be had: what is not read ahead is read when it is taken.
  }
}

bool BlockQueue::take(TakenBlock& taken, StageClock& clock) {
  Lock lock(mutex_);
  while (!take_ready(taken)) {
    if (ended_) return false;
    try {
      advance(lock, clock);
    } catch (...) {  // no memory for the queue itself
      if (!lock.owns_lock()) lock.lock();
      failure_ = std::current_exception();
    }
  }
  if (has_work()) changed_.notify_one();
  return true;
}

/// Does a part of the work that the next block still needs, or waits.
void BlockQueue::advance(Lock& lock, StageClock& clock) {
  if (files_.empty() && !opening_) {
    open_front(lock);
  } else if (!files_.empty() && files_.front()->ended) {
    end_front();
  } else if (!files_.empty() && !files_.front()->busy) {
    read_front(lock);
  } else if (!work_aside(lock)) {
    clock.done(Stage::read);
    ++waiting_;
    changed_.wait(lock);
    --waiting_;
    clock.done(Stage::wait);
  }
}

void BlockQueue::give_back(Block& block) {
  const std::lock_guard lock(mutex_);
  storages_.push_back(std::move(block.storage));
}

std::uint64_t BlockQueue::taken() const {
  const std::lock_guard lock(mutex_);
  return blocks_;
}

/// Whether a thread that waits could do something for the first file.
bool BlockQueue::has_work() const {
  if (waiting_ == 0) return false;
  if (files_.empty()) return !opening_;
  const OpenFile& front = *files_.front();
  return !front.busy || !front.ready.empty();
}

void BlockQueue::take_storage(Block& block) {
  if (storages_.empty()) return;
  block.storage = std::move(storages_.back());
  storages_.pop_back();
}

bool BlockQueue::take_ready(TakenBlock& taken) {
  if (ended_) return false;
  if (failure_) {
    taken.failure = std::exchange(failure_, nullptr);
    taken.number = blocks_++;
    end();
    return true;
  }
  if (files_.empty()) return false;
  OpenFile& front = *files_.front();
  std::uint64_t position = 0;
  if (front.file->is_plain()) {
    take_storage(taken.block);
    front.ended = !front.file->take(taken.block);
    if (front.ended) return false;
    position = front.file->position();
  } else {
    if (front.ready.empty()) return false;
    OpenFile::Ready& ready = front.ready.front();
    taken.block = std::move(ready.block);
    taken.failure = std::move(ready.failure);
    position = ready.position;
    front.ready.pop_front();
  }
  taken.number = blocks_++;
  taken.file_number = front.number;
  taken.file = front.file;
  bytes_read_.store(bytes_of_ended_ + position, std::memory_order_relaxed);
  if (taken.failure) end();
  return true;
}

void BlockQueue::end() {
  ended_ = true;
  files_.clear();
  changed_.notify_all();
}

/// Pre: a thread has seen that the first file has no more blocks.
void BlockQueue::end_front() {
  bytes_of_ended_ += files_.front()->file->position();
  files_.pop_front();
  begin_front();
}

/// Called when another file has become the first one.
void BlockQueue::begin_front() {
  changed_.notify_all();
  if (files_.empty()) return;
  const SequenceFile& file = *files_.front()->file;
  if (file.list_columns() && !file.list_columns()->note.empty())
    notes_.push_back(file.label() + ": " + file.list_columns()->note);
  if (!files_.front()->empty) return;
  if (options_.allow_empty) {
    empty_.push_back(file.label());
  } else {
    failure_ = std::make_exception_ptr(
        input_error(file.label(), 0, {}, 0, "the file is empty; FASTA or FASTQ is expected"));
  }
}

std::shared_ptr<BlockQueue::OpenFile> BlockQueue::open(std::size_t number) {
  auto opened = std::make_shared<OpenFile>();
  opened->number = number;
  const auto on_more = [this] {
    { const std::lock_guard lock(mutex_); }
    changed_.notify_all();
  };
  auto file =
      std::make_unique<SequenceFile>(paths_[number], options_.threads, options_.block_bytes,
                                     options_.cut, on_more, options_.decoding, options_.size);
  ++held_files_;
  opened->file = {file.release(), [this](const SequenceFile* closing) {
                    delete closing;
                    --held_files_;
                  }};
  opened->empty = opened->file->is_empty();
  return opened;
}

/// Opens a file as open() does, but while too many files are open, waits for those that threads
/// still hold.
std::shared_ptr<BlockQueue::OpenFile> BlockQueue::open_patiently(std::size_t number) {
  for (;;) {
    const bool others = held_files_ != 0;
    try {
      return open(number);
    } catch (const FileLimitError&) {
      if (!others) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Opens the next file, which may block.
void BlockQueue::open_front(Lock& lock) {
  if (opened_ == paths_.size()) return end();
  opening_ = true;
  const std::size_t number = opened_++;
  lock.unlock();
  std::shared_ptr<OpenFile> opened;
  std::exception_ptr failure;
  try {
    opened = open_patiently(number);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  opening_ = false;
  failure_ = failure;
  if (opened) files_.push_back(std::move(opened));
  begin_front();
}

/// Reads blocks of the first file: one for this thread, one for each that waits, and while there is
/// room. From a pipe, it does not read ahead of what threads wait for: that may block.
void BlockQueue::read_front(Lock& lock) {
  const std::shared_ptr<OpenFile> front = files_.front();
  const std::size_t room = front->file->is_regular() ? room_ : 0;
  front->busy = true;
  do {
    read_block(*front, lock);
  } while (!ended_ && !front->ended && front->ready.size() < std::max(waiting_ + 1, room));
  front->busy = false;
}

/// Reads the next block of the file. Pre: this thread has made it busy.
void BlockQueue::read_block(OpenFile& from, Lock& lock) {
  OpenFile::Ready ready;
  take_storage(ready.block);
  lock.unlock();
  bool more = true;
  try {
    more = from.file->take(ready.block);
    ready.position = from.file->position();
  } catch (...) {
    ready.failure = std::current_exception();
  }
  lock.lock();
  from.ended = !more;
  if (more) from.ready.push_back(std::move(ready));
  if (waiting_ != 0) changed_.notify_one();
}

/// Does something for the files that are read later than the block that this thread needs; false if
/// there is nothing to do.
bool BlockQueue::work_aside(Lock& lock) {
  if (files_.empty()) return false;
  if (const std::shared_ptr<SequenceFile> front = files_.front()->file; front->wants_help()) {
    lock.unlock();
    front->help();
    lock.lock();
    return true;
  }
  return blocks_ahead(1) < room_ && read_aside(1, lock);
}

/// Blocks of the files from `first` on that have been read or are being read.
std::size_t BlockQueue::blocks_ahead(std::size_t first) const {
  std::size_t blocks = 0;
  for (std::size_t i = first; i < files_.size(); ++i)
    blocks += files_[i]->ready.size() + (files_[i]->busy ? 1 : 0);
  return blocks;
}

/// Reads a block of the first file from `first` on that no other thread reads, or opens one more;
/// false if there is nothing to do without waiting.
bool BlockQueue::read_aside(std::size_t first, Lock& lock) {
  for (std::size_t i = first; i < files_.size(); ++i) {
    const std::shared_ptr<OpenFile> file = files_[i];
    if (file->busy || file->ended || file->file->is_plain() || !file->file->is_regular()) continue;
    file->busy = true;
    read_block(*file, lock);
    file->busy = false;
    return true;
  }
  return open_ahead(lock);
}

/// What the thread that reads ahead does.
void BlockQueue::run_ahead(std::size_t most, StageTimes* times) {
  Lock lock(mutex_);
  StageClock clock(times);
  try {
    while (!closing_ && !ended_ && blocks_ahead(0) < most && read_aside(0, lock))
      clock.done(Stage::read);
  } catch (...) {  // no memory for the queue itself
    if (!lock.owns_lock()) lock.lock();
    failure_ = std::current_exception();
  }
  changed_.notify_all();  // another thread must read from now on
}

/// Opens the next file before its turn, if that cannot block and there is something to inflate;
/// false if it may not be opened. An error shows again when the file is opened in its turn.
bool BlockQueue::open_ahead(Lock& lock) {
  if (opening_ || opened_ == paths_.size() || opened_ < ahead_from_) return false;
  const std::size_t most = std::min(most_open_ahead(), room_);
  if (most == 0 || files_.size() > most) return false;
  opening_ = true;
  const std::size_t number = opened_;
  lock.unlock();
  std::shared_ptr<OpenFile> opened;
  try {
    const FileKind kind = ByteSource::kind_of_file(paths_[number]);
    if (kind == FileKind::gzip || kind == FileKind::bzip2) opened = open(number);
  } catch (...) {  // it may be another when its turn comes
    opened.reset();
  }
  lock.lock();
  opening_ = false;
  if (opened) {
    ++opened_;
    if (!ended_) files_.push_back(std::move(opened));
    if (files_.size() == 1) begin_front();
  } else {
    ahead_from_ = number + 1;
  }
  changed_.notify_all();
  return true;
}

}  // namespace gsx

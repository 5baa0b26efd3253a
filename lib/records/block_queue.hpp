// Takes blocks from the files of an input, in order, for any number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/stage_times.hpp"
#include "records/sequence_file.hpp"

namespace gsx {

/// A block on its way from the queue through one thread.
struct TakenBlock {
  Block block;
  std::uint64_t number = 0;     ///< in the whole input
  std::size_t file_number = 0;  ///< of `file`, from 0
  std::shared_ptr<const SequenceFile> file;
  std::exception_ptr failure;  ///< what came in place of the block
};

/// The blocks of all files, in input order. A block of a plain file is only named here, and read by
/// the thread that takes it. Of other files, one thread reads and inflates the blocks: as long as
/// others take them from it, or there is room for more, it does nothing else. Threads that would
/// only wait inflate for it (BGZF), or decompress the files after it (plain gzip and bzip2 in
/// regular files: others may take much memory each). Files of any other kind are opened when all
/// before them have been read, because that may block.
class BlockQueue {
 public:
  struct Options {
    int threads = 1;  ///< that call take(); each may have one block read ahead for it
    std::uint64_t block_bytes = 0;
    const BatchSize* size = nullptr;  ///< if not null, says how much smaller blocks should be
    BlockCut cut = BlockCut::record;
    bool allow_empty = false;  ///< whether an empty file is no error
    Decoding decoding = {};
  };

  BlockQueue(std::vector<std::string> paths, const Options& options);
  ~BlockQueue();
  BlockQueue(const BlockQueue&) = delete;
  BlockQueue& operator=(const BlockQueue&) = delete;

  /// Starts a thread that reads up to `bytes` ahead, from now on, of the files that are plain gzip
  /// or bzip2 in regular files, until it meets another one. It adds its time to `times`, if that is
  /// not null. Does nothing if only one thread takes blocks. Pre: it is the first call.
  void read_ahead(std::uint64_t bytes, StageTimes* times);

  /// Takes the next block, or the error in its place, which ends the input; false if there are no
  /// more. Any number of threads may call it. Adds the time to the clock, as reading or waiting.
  bool take(TakenBlock& taken, StageClock& clock);
  /// Gives the memory of a block back.
  void give_back(Block& block);

  /// Bytes read from the files for the blocks taken so far. Any thread may call it.
  std::uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }
  /// Blocks taken so far. Any thread may call it.
  std::uint64_t taken() const;
  /// Labels of the files without records. Pre: no thread is in take().
  const std::vector<std::string>& empty_files() const { return empty_; }
  /// What was found of the columns of lists, with their labels. Pre: as of empty_files().
  const std::vector<std::string>& list_notes() const { return notes_; }

 private:
  struct OpenFile;
  using Lock = std::unique_lock<std::mutex>;

  void advance(Lock& lock, StageClock& clock);
  bool has_work() const;
  void take_storage(Block& block);
  bool take_ready(TakenBlock& taken);
  void end();
  void end_front();
  void begin_front();
  std::shared_ptr<OpenFile> open(std::size_t number);
  std::shared_ptr<OpenFile> open_patiently(std::size_t number);
  void open_front(Lock& lock);
  void read_front(Lock& lock);
  void read_block(OpenFile& from, Lock& lock);
  bool work_aside(Lock& lock);
  std::size_t blocks_ahead(std::size_t first) const;
  bool read_aside(std::size_t first, Lock& lock);
  bool open_ahead(Lock& lock);
  void run_ahead(std::size_t most, StageTimes* times);

  const std::vector<std::string> paths_;
  const Options options_;
  const std::size_t room_;  ///< most blocks that are ready, of the first file and of all others
  std::atomic<std::uint64_t> bytes_read_{0};
  std::atomic<std::size_t> held_files_{0};  ///< that are open, here or with threads

  mutable std::mutex mutex_;  ///< guards the members below
  std::condition_variable changed_;
  std::deque<std::shared_ptr<OpenFile>> files_;  ///< open, in input order
  std::size_t opened_ = 0;                       ///< files opened so far, or being opened
  std::size_t ahead_from_ = 0;                   ///< files before this one are not opened ahead
  std::size_t waiting_ = 0;                      ///< threads that wait
  bool opening_ = false;                         ///< whether a thread opens a file
  bool ended_ = false;                           ///< whether there is no more
  bool closing_ = false;                         ///< whether the queue is being destroyed
  std::exception_ptr failure_;                   ///< of opening a file; to be taken
  std::uint64_t bytes_of_ended_ = 0;             ///< bytes read from files that have ended
  std::uint64_t blocks_ = 0;                     ///< taken so far
  std::vector<std::string> empty_;
  std::vector<std::string> notes_;
  std::vector<std::vector<char>> storages_;  ///< of blocks that are done, for reuse

  std::thread ahead_;  ///< reads ahead
};

}  // namespace gsx

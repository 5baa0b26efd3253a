// The inflated blocks of a BGZF file, in order, by any number of threads.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

struct hFILE;

namespace gsx {

/// One thread reads, in order; threads that have nothing to do meanwhile may inflate for it. No
/// thread is started. Damage comes out behind the last whole block before it, whoever finds it.
class BgzfBlocks {
 public:
  /// Pre: a BGZF block begins where the file is; it must outlive this. About `ahead` bytes of the
  /// file are read before they are wanted. `on_more` is called when there is something to help().
  BgzfBlocks(hFILE& file, std::size_t ahead, std::function<void()> on_more);
  ~BgzfBlocks();
  BgzfBlocks(const BgzfBlocks&) = delete;
  BgzfBlocks& operator=(const BgzfBlocks&) = delete;

  /// Whether the bytes are the header of a BGZF block. 18 of them suffice.
  static bool is_header(const unsigned char* bytes, std::size_t count);

  /// The next bytes, valid until the next call; empty at the end. Throws SourceError, and again at
  /// every later call.
  std::string_view next();
  /// Whether another gzip member follows the blocks. After next() was empty.
  bool gzip_follows() const { return gzip_follows_; }
  /// Compressed bytes of what next() has given, and the empty blocks before it.
  std::uint64_t position() const { return position_; }

  /// Inflates some blocks that next() will give. False when none are waiting. Any thread.
  bool help();
  /// Whether some are waiting. Any thread.
  bool wants_help() const;

 private:
  struct Group;
  std::unique_ptr<Group> read_group();
  bool read_block(Group& group);
  void read_ahead();
  void inflate(Group& group);

  hFILE& file_;
  std::size_t ahead_;
  std::function<void()> on_more_;
  // Of the reading thread:
  std::shared_ptr<Group> current_;
  std::uint64_t position_ = 0;
  std::uint64_t read_ = 0;       ///< compressed bytes taken from the file
  std::size_t queued_ = 0;       ///< of those, what is in the queue
  bool last_was_empty_ = false;  ///< the last block, as the one that marks the end is
  bool ended_ = false;
  bool gzip_follows_ = false;

  mutable std::mutex mutex_;  ///< for the queue and the states of its groups
  std::condition_variable done_;
  std::deque<std::shared_ptr<Group>> queue_;
};

}  // namespace gsx

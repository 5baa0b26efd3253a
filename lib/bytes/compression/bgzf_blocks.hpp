// Inflates the blocks of a BGZF file on any number of threads and gives the bytes in order.
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

/// One thread reads, in order. Other threads that would only wait may inflate blocks for it; no
/// thread is started. Damage is reported after the last whole block before it, whichever thread
/// finds it.
class BgzfBlocks {
 public:
  /// Reads ahead until what it has read takes about `ahead` bytes, packed and inflated together.
  /// Calls `on_more` when there is something to help() with, and `on_no_eof` if the empty block
  /// that ends BGZF is missing; it may throw SourceError, which then comes behind the data. Pre:
  /// `file` is at the start of a BGZF block and outlives this object.
  BgzfBlocks(hFILE& file, std::size_t ahead, std::function<void()> on_more,
             std::function<void()> on_no_eof);
  ~BgzfBlocks();
  BgzfBlocks(const BgzfBlocks&) = delete;
  BgzfBlocks& operator=(const BgzfBlocks&) = delete;

  /// Whether the bytes are the header of a BGZF block; the first 18 are enough to tell.
  static bool is_header(const unsigned char* bytes, std::size_t count);

  /// The next bytes, valid until the next call; empty at the end. Throws SourceError; later calls
  /// throw it again.
  std::string_view next();
  /// Whether another gzip member follows the blocks. Pre: next() has returned nothing.
  bool gzip_follows() const { return gzip_follows_; }
  /// Compressed bytes of all that next() has given, including empty blocks before it.
  std::uint64_t position() const { return position_; }

  /// Inflates some of the blocks that next() will give; false if none are waiting. Any thread may
  /// call it.
  bool help();
  /// Whether any blocks wait to be inflated. Any thread may call it.
  bool wants_help() const;

 private:
  struct Group;
  std::unique_ptr<Group> read_group();
  bool read_block(Group& group);
  void read_ahead();
  void inflate(Group& group) noexcept;  // else the thread that waits for the group would never wake

  hFILE& file_;
  std::size_t ahead_;
  std::function<void()> on_more_, on_no_eof_;
  // Used by the reading thread only:
  std::shared_ptr<Group> current_;
  std::uint64_t position_ = 0;
  std::uint64_t read_ = 0;  ///< compressed bytes taken from the file
  std::size_t queued_ = 0;  ///< bytes that the queue takes, packed and inflated
  bool last_was_empty_ =
      false;  ///< whether the last block was empty, like the one that marks the end
  bool ended_ = false;
  bool gzip_follows_ = false;

  mutable std::mutex mutex_;  ///< guards the queue and the states of its groups
  std::condition_variable done_;
  std::deque<std::shared_ptr<Group>> queue_;
};

}  // namespace gsx

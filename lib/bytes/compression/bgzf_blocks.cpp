#include "bytes/compression/bgzf_blocks.hpp"

#include <htslib/hfile.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <string>
#include <utility>

#include "bytes/compression/block_inflater.hpp"
#include "bytes/source_error.hpp"

namespace gsx {
namespace {

constexpr std::size_t header_bytes =
    18;  // with the one extra field, which holds the size of the block
constexpr std::size_t least_block = header_bytes + 8;
constexpr std::size_t most_block = std::size_t{64} << 10;
/// Compressed bytes of the blocks that a thread inflates at a time: enough to make the cost of
/// taking them small.
constexpr std::size_t group_bytes = std::size_t{64} << 10;
/// Inflated bytes of those blocks: a few bytes may inflate to a block.
constexpr std::size_t group_plain_bytes = std::size_t{256} << 10;

unsigned number16(const unsigned char* bytes) {
  return bytes[0] | unsigned{bytes[1]} << 8;
}

/// Bytes of the block with this header.
std::size_t size_of_block(const unsigned char* header) {
  return std::size_t{number16(header + 16)} + 1;
}

std::size_t size_inflated(const unsigned char* end) {
  return number16(end - 4) | std::size_t{number16(end - 2)} << 16;
}

}  // namespace

struct BgzfBlocks::Group {
  enum State { waiting, taken, done };
  State state = waiting;
  std::unique_ptr<unsigned char[]> packed;
  std::size_t packed_size = 0;
  std::size_t plain_size = 0;  ///< sum of the sizes that the blocks state
  std::string plain;
  std::string failure;  ///< what is wrong with the data after `plain`; empty if nothing is
  bool out_of_memory = false;

  bool is_full() const { return packed_size >= group_bytes || plain_size >= group_plain_bytes; }
  /// Most bytes that it takes, now or inflated.
  std::size_t memory() const { return packed_size + plain_size; }
};

BgzfBlocks::BgzfBlocks(hFILE& file, std::size_t ahead, std::function<void()> on_more,
                       std::function<void()> on_no_eof)
    : file_(file), ahead_(ahead), on_more_(std::move(on_more)), on_no_eof_(std::move(on_no_eof)) {}

BgzfBlocks::~BgzfBlocks() = default;

bool BgzfBlocks::is_header(const unsigned char* bytes, std::size_t count) {
  constexpr unsigned char first[] = {0x1f, 0x8b, 8, 4};
  return count >= header_bytes && std::equal(std::begin(first), std::end(first), bytes) &&
         number16(bytes + 10) == 6 && bytes[12] == 'B' && bytes[13] == 'C' &&
         number16(bytes + 14) == 2;
}

/// Appends the next block to the group. Returns false if there is none. Throws SourceError.
bool BgzfBlocks::read_block(Group& group) {
  unsigned char header[header_bytes];
  const ssize_t peeked = hpeek(&file_, header, sizeof header);
  if (peeked < 0) fail_with_errno(errno);
  if (peeked == 0 && !last_was_empty_) on_no_eof_();
  if (peeked == 0) return false;
  const auto count = static_cast<std::size_t>(peeked);
  if (!is_header(header, count)) {
    gzip_follows_ = count >= header_bytes && header[0] == 0x1f && header[1] == 0x8b;
    if (gzip_follows_) return false;
    if (header[0] == 0x1f || !last_was_empty_) fail_damaged();
    require_only_padding(file_);
    return false;
  }
  const std::size_t size = size_of_block(header);
  if (size < least_block) fail_damaged();
  unsigned char* const to = group.packed.get() + group.packed_size;
  const ssize_t done = hread(&file_, to, size);
  if (done < 0) fail_with_errno(errno);
  read_ += static_cast<std::uint64_t>(done);
  if (static_cast<std::size_t>(done) != size) fail_damaged();
  const std::size_t inflated = size_inflated(to + size);
  if (inflated > most_block) fail_damaged();
  last_was_empty_ = inflated == 0;
  group.packed_size += size;
  group.plain_size += inflated;
  return true;
}

std::unique_ptr<BgzfBlocks::Group> BgzfBlocks::read_group() {
  auto group = std::make_unique<Group>();
  group->packed = std::make_unique_for_overwrite<unsigned char[]>(group_bytes + most_block);
  try {
    while (!group->is_full() && !ended_)
      ended_ = !read_block(*group);
  } catch (const SourceError& error) {
    group->failure = error.what();
    ended_ = true;
  }
  return group;
}

void BgzfBlocks::read_ahead() {
  bool more = false;
  while (!ended_ && queued_ < ahead_) {
    std::shared_ptr<Group> group = read_group();
    queued_ += group->memory();
    const std::lock_guard lock(mutex_);
    more = more || !queue_.empty();
    queue_.push_back(std::move(group));
  }
  if (more && on_more_) on_more_();
}

void BgzfBlocks::inflate(Group& group) noexcept {
  try {
    group.plain.resize(group.plain_size);
    BlockInflater inflater;
    std::size_t filled = 0;
    for (std::size_t at = 0; at < group.packed_size;) {
      const unsigned char* const block = group.packed.get() + at;
      const std::size_t size = size_of_block(block);
      const std::size_t inflated = size_inflated(block + size);
      if (!inflater.inflate(block, size, group.plain.data() + filled, inflated)) {
        group.plain.resize(filled);
        group.failure = "the compressed data is truncated or damaged; fetch the file again";
        break;
      }
      at += size;
      filled += inflated;
    }
  } catch (const std::bad_alloc&) {
    group.plain.clear();
    group.out_of_memory = true;  // there may be no memory for a message either
  }
  group.packed.reset();
}

bool BgzfBlocks::wants_help() const {
  const std::lock_guard lock(mutex_);
  return std::any_of(queue_.begin(), queue_.end(),
                     [](const auto& group) { return group->state == Group::waiting; });
}

bool BgzfBlocks::help() {
  std::shared_ptr<Group> group;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(queue_.begin(), queue_.end(), [](const auto& waiting) {
      return waiting->state == Group::waiting;
    });
    if (found == queue_.end()) return false;
    group = *found;
    group->state = Group::taken;
  }
  inflate(*group);
  const std::lock_guard lock(mutex_);
  group->state = Group::done;
  done_.notify_all();
  return true;
}

std::string_view BgzfBlocks::next() {
  for (;;) {
    if (current_ && current_->out_of_memory) throw std::bad_alloc();
    if (current_ && !current_->failure.empty()) throw SourceError(current_->failure);
    read_ahead();
    {
      std::unique_lock lock(mutex_);
      if (queue_.empty()) return {};
      current_ = queue_.front();
      if (current_->state != Group::waiting) {
        done_.wait(lock, [&] { return current_->state == Group::done; });
      } else {
        current_->state = Group::taken;
        lock.unlock();
        inflate(*current_);
        lock.lock();
        current_->state = Group::done;
      }
      queue_.pop_front();
    }
    queued_ -= current_->memory();
    position_ += current_->packed_size;
    if (!current_->plain.empty()) return current_->plain;
  }
}

}  // namespace gsx

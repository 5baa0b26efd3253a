#include "bytes/compression/bgzf_encoder.hpp"

#include <htslib/bgzf.h>

#include <algorithm>

#include "base/bits.hpp"
#include "base/out_of_memory.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

/// The default level of gzip and bgzip.
constexpr int level = 6;

/// Blocks that a thread compresses at a time; so threads that are ahead have others to take.
constexpr std::size_t blocks_per_thread = 2;

/// Makes `block` of some bytes; of none, that which marks the end of the file. What does not shrink
/// is stored, so that only memory can be lacking.
void make_block(std::string_view bytes, std::string& block) {
  std::size_t size = BGZF_MAX_BLOCK_SIZE;
  block.resize(size);
  if (bgzf_compress(block.data(), &size, bytes.data(), bytes.size(), level) != 0) {
    throw OutOfMemoryError("out of memory while compressing the output");
  }
  block.resize(size);
}

}  // namespace

BgzfEncoder::BgzfEncoder(int threads)
    : threads_(std::max(threads, 1)),
      blocks_(threads_ == 1 ? 1 : static_cast<std::size_t>(threads_) * blocks_per_thread) {
  most_ = blocks_.size() * BGZF_BLOCK_SIZE;
}

void BgzfEncoder::add(std::string_view bytes, const Take& take) {
  while (open_.size() + bytes.size() >= most_) {
    const std::size_t taken = most_ - open_.size();
    if (open_.empty()) {
      compress(bytes.substr(0, taken), take);
    } else {
      open_ += bytes.substr(0, taken);
      compress(open_, take);
      open_.clear();
    }
    bytes.remove_prefix(taken);
  }
  open_ += bytes;
}

void BgzfEncoder::flush(const Take& take) {
  const std::size_t whole = open_.size() - open_.size() % BGZF_BLOCK_SIZE;
  compress(std::string_view(open_).substr(0, whole), take);
  open_.erase(0, whole);
}

void BgzfEncoder::finish(const Take& take) {
  compress(open_, take);
  open_.clear();
  make_block({}, blocks_.front());
  take(blocks_.front());
}

/// Pre: no more than most_ bytes.
void BgzfEncoder::compress(std::string_view bytes, const Take& take) {
  const std::uint64_t count = divide_up(bytes.size(), BGZF_BLOCK_SIZE);
  parallel_for(threads_, count, [&](std::uint64_t i, int) {
    make_block(bytes.substr(i * BGZF_BLOCK_SIZE, BGZF_BLOCK_SIZE), blocks_[i]);
  });
  for (std::uint64_t i = 0; i < count; ++i)
    take(blocks_[i]);
}

}  // namespace gsx

// Encodes bytes as BGZF: gzip in blocks that can be inflated independently.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gsx {

/// Cuts bytes into blocks of a fixed size and compresses some of them at a time, each on a thread.
/// The result depends only on the bytes, neither on the pieces in which they arrive nor on the
/// threads. Holds two blocks per thread before and after compression, and on one thread only one.
class BgzfEncoder {
 public:
  /// Takes the next compressed bytes.
  using Take = std::function<void(std::string_view)>;

  explicit BgzfEncoder(int threads);

  /// Adds bytes, and gives blocks once there are enough of them. What `take` throws comes out here;
  /// the encoder is of no use then.
  void add(std::string_view bytes, const Take& take);
  /// Gives all whole blocks.
  void flush(const Take& take);
  /// Gives the last block, and the empty one that marks the end of the file.
  void finish(const Take& take);

 private:
  void compress(std::string_view bytes, const Take& take);

  int threads_;
  std::size_t most_;                 ///< bytes that are compressed at a time: whole blocks
  std::string open_;                 ///< fewer bytes than that, not compressed
  std::vector<std::string> blocks_;  ///< compressed
};

}  // namespace gsx

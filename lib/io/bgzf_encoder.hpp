// Bytes as BGZF: gzip in blocks that can be inflated by themselves.
#pragma once

#include <string>
#include <string_view>

namespace gsx {

/// Cuts bytes into blocks of a fixed size and compresses each, so that the result depends on the
/// bytes only and not on how they arrive.
class BgzfEncoder {
 public:
  /// Appends to `out` the blocks that `bytes` completes.
  void add(std::string_view bytes, std::string& out);
  /// Appends the last block and the empty one that marks the end of the file.
  void finish(std::string& out);

 private:
  std::string open_;  ///< the beginning of the next block
};

}  // namespace gsx

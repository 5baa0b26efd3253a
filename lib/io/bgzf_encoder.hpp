// Encodes bytes as BGZF: gzip in blocks that can be inflated independently.
#pragma once

#include <string>
#include <string_view>

namespace gsx {

/// Cuts bytes into blocks of a fixed size and compresses each. The result depends only on the
/// bytes, not on the pieces in which they arrive.
class BgzfEncoder {
 public:
  /// Appends the blocks that `bytes` completes to `out`.
  void add(std::string_view bytes, std::string& out);
  /// Appends the last block and the empty one that marks the end of the file.
  void finish(std::string& out);

 private:
  std::string open_;  ///< the beginning of the next block
};

}  // namespace gsx

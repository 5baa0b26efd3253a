// Compresses single blocks in the zlib format.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace gsx {

/// Compresses one block after another, each on its own (RFC 1950): with libdeflate if gsx was built
/// with it, and with zlib otherwise. At the level that lib/output/tracks/README.md chooses. The
/// bytes depend on nothing but the block.
class BlockDeflater {
 public:
  BlockDeflater();
  ~BlockDeflater();
  BlockDeflater(const BlockDeflater&) = delete;
  BlockDeflater& operator=(const BlockDeflater&) = delete;

  /// Appends the compressed block and returns its size. Throws RuntimeError if that fails, or if
  /// the block has 4 GB.
  std::size_t deflate(std::string_view block, std::string& to);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx

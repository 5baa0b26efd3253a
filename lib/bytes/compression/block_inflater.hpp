// Inflates one whole gzip member at a time, such as a BGZF block.
#pragma once

#include <cstddef>
#include <memory>

namespace gsx {

/// Uses libdeflate if gsx was built with it, which is several times as fast as zlib.
class BlockInflater {
 public:
  /// Throws std::bad_alloc.
  BlockInflater();
  ~BlockInflater();
  BlockInflater(const BlockInflater&) = delete;
  BlockInflater& operator=(const BlockInflater&) = delete;

  /// Inflates the member of `size` bytes into `count` bytes. Returns whether the member is sound,
  /// by its own checksum too, and gives exactly that many.
  bool inflate(const unsigned char* member, std::size_t size, char* to, std::size_t count);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Name of the library that BlockInflater uses.
const char* block_inflater_name();

}  // namespace gsx

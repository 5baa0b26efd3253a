// Inflates one whole gzip member at a time, such as a block of BGZF.
#pragma once

#include <cstddef>
#include <memory>

namespace gsx {

/// With libdeflate where gsx was built with it, which is some times as fast as zlib.
class BlockInflater {
 public:
  /// Throws std::bad_alloc.
  BlockInflater();
  ~BlockInflater();
  BlockInflater(const BlockInflater&) = delete;
  BlockInflater& operator=(const BlockInflater&) = delete;

  /// Whether the member of `size` bytes is sound, by its own checks too, and gives `count` bytes.
  bool inflate(const unsigned char* member, std::size_t size, char* to, std::size_t count);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx

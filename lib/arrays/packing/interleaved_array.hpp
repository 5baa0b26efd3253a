// Owner of an interleaved array.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "arrays/packing/interleaved_view.hpp"
#include "base/buffer.hpp"

namespace gsx {

/// Can only be moved. Memory: that of InterleavedView.
class InterleavedArray {
 public:
  InterleavedArray() = default;
  /// Takes `size` values that `words` will hold. Pre: it has InterleavedView::words_for(size, bits)
  /// words.
  InterleavedArray(Buffer<std::uint32_t> words, std::uint64_t size, std::uint32_t bits)
      : words_(std::move(words)), size_(size), bits_(bits) {}

  InterleavedView view() const { return {words_.data(), size_, bits_}; }
  std::uint32_t* data() { return words_.data(); }
  std::span<const std::uint32_t> words() const { return words_.span(); }
  std::uint64_t size() const { return size_; }
  std::uint32_t bits() const { return bits_; }

 private:
  Buffer<std::uint32_t> words_;
  std::uint64_t size_ = 0;
  std::uint32_t bits_ = 0;
};

}  // namespace gsx

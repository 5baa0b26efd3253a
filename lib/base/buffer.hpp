// Owner of uninitialised memory for large arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "base/export.hpp"

namespace gsx {

/// Allocates `bytes` of uninitialised memory, aligned to 64 bytes; large ones to 2 MiB, and asks
/// for huge pages. Throws ResourceError that names `what`, the use of the memory.
GSX_API void* allocate_bytes(std::size_t bytes, const char* what);
GSX_API void free_bytes(void* pointer, std::size_t bytes) noexcept;

/// Owns `size` uninitialised elements of T. Can only be moved. Never initialises: the threads that
/// fill the array should touch its pages first.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  /// Throws ResourceError that names `what` and the size in bytes.
  Buffer(std::size_t size, const char* what)
      : data_(static_cast<T*>(allocate_bytes(size * sizeof(T), what))), size_(size) {}
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    if (this == &other) return *this;
    free_bytes(data_, bytes());  // now, because the moved-from object may live much longer
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { free_bytes(data_, size_ * sizeof(T)); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  std::span<T> span() { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gsx

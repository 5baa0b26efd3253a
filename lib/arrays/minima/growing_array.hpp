// An array that grows at its end without a copy of what it holds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "base/out_of_memory.hpp"

namespace gsx {

/// Elements that are never initialised but by push(). The system moves the pages of a large array
/// when it grows, so growing costs little more than the pages. Can only be moved.
template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingArray() = default;
  GrowingArray(GrowingArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        room_(std::exchange(other.room_, 0)) {}
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
    return *this;
  }
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;
  ~GrowingArray() { std::free(data_); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::span<T> span() { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }
  T& back() { return data_[size_ - 1]; }

  /// Throws ResourceError.
  void push(const T& element) {
    if (size_ == room_) resize(room_ == 0 ? 64 : 2 * room_);
    data_[size_++] = element;
  }
  void pop() { --size_; }
  /// Adds elements that are yet to be set, and returns them. Throws ResourceError.
  std::span<T> extend(std::size_t count) {
    if (size_ + count > room_) resize(std::max(2 * room_, size_ + count));
    size_ += count;
    return {data_ + size_ - count, count};
  }
  /// Adds elements. Throws ResourceError.
  void append(std::span<const T> elements) {
    std::ranges::copy(elements, extend(elements.size()).begin());
  }
  /// Removes the first elements. Pre: count <= size(). Cost: a copy of the others.
  void drop_first(std::size_t count) {
    std::copy(data_ + count, data_ + size_, data_);
    size_ -= count;
  }
  /// Removes all elements, and keeps the memory.
  void clear() { size_ = 0; }
  /// Gives back the memory that is not used.
  void shrink() {
    if (size_ > 0) resize(size_);
  }

 private:
  void resize(std::size_t room) {
    void* const moved = std::realloc(data_, room * sizeof(T));
    if (moved == nullptr) {
      throw OutOfMemoryError("out of memory: " + std::to_string(room * sizeof(T)) +
                             " bytes asked for an array that grows");
    }
    data_ = static_cast<T*>(moved);
    room_ = room;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

}  // namespace gsx

// Arrays of C++ as arrays of NumPy, without a copy; and bytes of Python as they lie in memory.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace gsx::python {

template <class T, class... Shape>
using NumpyArray = nanobind::ndarray<nanobind::numpy, T, Shape...>;

/// An array over memory that `owner` holds, which NumPy keeps.
template <class T, class Owner>
nanobind::object numpy_over(Owner owner, T* data, std::initializer_list<std::size_t> shape) {
  auto kept = std::make_unique<Owner>(std::move(owner));
  const nanobind::capsule capsule(kept.get(),
                                  [](void* p) noexcept { delete static_cast<Owner*>(p); });
  (void)kept.release();
  static T nothing[1];
  if (data == nullptr) data = nothing;  // an empty array has to be somewhere, too
  nanobind::object array =
      nanobind::cast(NumpyArray<T>(data, shape.size(), shape.begin(), capsule));
  // NumPy has two types of integers of 64 bits, and takes the one that is not int64.
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
    array = array.attr("view")(std::is_signed_v<T> ? "int64" : "uint64");
  return array;
}

/// The elements of a vector or a Buffer as an array of one dimension.
template <class Owner>
nanobind::object to_numpy(Owner owner) {
  auto kept = std::make_unique<Owner>(std::move(owner));
  auto* const data = kept->data();
  const std::size_t size = kept->size();
  return numpy_over(std::move(kept), data, {size});
}

/// A suffix array or its inverse as an array of uint32 or uint64.
template <class Positions>
nanobind::object positions_to_numpy(Positions positions) {
  auto kept = std::make_unique<Positions>(std::move(positions));
  const std::size_t size = kept->size();
  return kept->visit([&](const auto* entries) {
    using Pos = std::remove_const_t<std::remove_pointer_t<decltype(entries)>>;
    return numpy_over(std::move(kept), const_cast<Pos*>(entries), {size});
  });
}

/// The memory that an object exports by the buffer protocol, which stays where it is while this
/// lives. The caller holds the lock of the interpreter to take and to destroy it.
class HeldBuffer {
 public:
  HeldBuffer() = default;
  HeldBuffer(const HeldBuffer&) = delete;
  HeldBuffer& operator=(const HeldBuffer&) = delete;
  ~HeldBuffer() {
    if (is_held_) PyBuffer_Release(&buffer_);
  }

  /// Takes the memory; false if the object does not export it as the flags ask. Pre: it holds none.
  bool take(nanobind::handle object, int flags) {
    is_held_ = PyObject_GetBuffer(object.ptr(), &buffer_, flags) == 0;
    if (!is_held_) PyErr_Clear();
    return is_held_;
  }
  const Py_buffer& operator*() const { return buffer_; }
  const Py_buffer* operator->() const { return &buffer_; }

 private:
  Py_buffer buffer_{};
  bool is_held_ = false;
};

/// Contiguous bytes of an object: of bytes, bytearray, memoryview, NumPy, or of another array in
/// host memory that DLPack gives. Keeps the object.
class HostBytes {
 public:
  /// Throws UsageError for an object without bytes; `what` names it in the message.
  HostBytes(nanobind::handle object, const char* what);

  std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  HeldBuffer buffer_;
  nanobind::object array_;
  std::span<const std::uint8_t> bytes_;
};

}  // namespace gsx::python

// Arrays in the memory of a GPU, as CuPy, PyTorch and others have them.
#pragma once

#include <cuda_runtime_api.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>

namespace gsx::python {

/// The stream that an object names: an integer, an object with the protocol `__cuda_stream__`, a
/// stream of CuPy or PyTorch, or None for the default stream. Throws UsageError.
cudaStream_t stream_of(const nanobind::object& object);

/// A contiguous array of one dimension in device memory. Keeps the object.
class DeviceInput {
 public:
  /// Takes what `__cuda_array_interface__` says if that names a stream, or else DLPack. What the
  /// producer has queued is done before what `stream` does next. Throws UsageError for an array of
  /// another form; `what` names it.
  DeviceInput(nanobind::handle object, cudaStream_t stream, const char* what);

  template <class T>
  const T* data() const {
    return static_cast<const T*>(data_);
  }
  std::uint64_t size() const { return size_; }
  std::uint32_t item_bytes() const { return item_bytes_; }
  /// The GPU that holds it; the first for an empty one.
  int device() const { return device_; }
  /// Throws UsageError unless it is on this GPU, on which `other` is, or empty.
  void require_on(int device, const char* other) const;
  /// Throws UsageError unless elements are integers of so many bytes.
  void require(std::uint32_t item_bytes) const;

 private:
  void take_interface(const nanobind::object& interface, cudaStream_t stream);
  void take_dlpack(nanobind::handle object, cudaStream_t stream);
  [[noreturn]] void refuse(const std::string& why) const;

  std::string what_;
  nanobind::object kept_;
  nanobind::ndarray<nanobind::ro> array_;  ///< of DLPack
  const void* data_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint32_t item_bytes_ = 0;
  int device_ = 0;
};

}  // namespace gsx::python

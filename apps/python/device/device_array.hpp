// Arrays in the memory of a GPU that gsx has made.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gsx::python {

/// Owns memory of a GPU, uninitialised. Elements are unsigned integers. Moves only.
class DeviceArray {
 public:
  /// On the current device. Throws ResourceError.
  DeviceArray(std::vector<std::size_t> shape, std::uint32_t item_bytes);
  DeviceArray(DeviceArray&& other) noexcept
      : shape_(std::move(other.shape_)),
        item_bytes_(other.item_bytes_),
        device_(other.device_),
        data_(std::exchange(other.data_, nullptr)) {}
  DeviceArray& operator=(DeviceArray&&) = delete;
  ~DeviceArray();

  template <class T>
  T* data() const {
    return static_cast<T*>(data_);
  }
  const std::vector<std::size_t>& shape() const { return shape_; }
  std::size_t size() const;
  std::size_t bytes() const { return size() * item_bytes_; }
  std::uint32_t item_bytes() const { return item_bytes_; }
  int device() const { return device_; }

 private:
  std::vector<std::size_t> shape_;
  std::uint32_t item_bytes_;
  int device_ = 0;
  void* data_ = nullptr;
};

/// Adds the class, and to_device(), to the module.
void register_device_array(nanobind::module_& module);

}  // namespace gsx::python

#include "device_input.hpp"

#include <nanobind/stl/string.h>

#include <cstring>

#include "gsx/error.hpp"
#include "kernels/base/cuda_error.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

// Both protocols have numbers for the two default streams, of which the first is that of null.
constexpr std::uintptr_t legacy_stream = 1;

cudaStream_t stream_numbered(std::uintptr_t number) {
  return number == legacy_stream ? nullptr : reinterpret_cast<cudaStream_t>(number);
}

std::uintptr_t number_of(cudaStream_t stream) {
  return stream == nullptr ? legacy_stream : reinterpret_cast<std::uintptr_t>(stream);
}

}  // namespace

cudaStream_t stream_of(const nb::object& object) {
  if (object.is_none()) return nullptr;
  nb::object number = object;
  if (nb::hasattr(object, "__cuda_stream__")) {
    number = object.attr("__cuda_stream__");
    if (PyCallable_Check(number.ptr()) != 0) number = number();
    number = number[1];
  } else if (nb::hasattr(object, "cuda_stream")) {
    number = object.attr("cuda_stream");  // of PyTorch
  } else if (nb::hasattr(object, "ptr")) {
    number = object.attr("ptr");  // of CuPy
  }
  if (!nb::isinstance<nb::int_>(number))
    throw UsageError(
        "stream has to be a CUDA stream, as an integer or an object of CuPy or PyTorch");
  return stream_numbered(nb::cast<std::uintptr_t>(number));
}

DeviceInput::DeviceInput(nb::handle object, cudaStream_t stream, const char* what)
    : what_(what), kept_(nb::borrow(object)) {
  const nb::object interface = nb::getattr(object, "__cuda_array_interface__", nb::none());
  // That of PyTorch does not tell the stream that may still write: DLPack waits for it.
  const bool by_interface =
      !interface.is_none() &&
      (nb::cast<nb::dict>(interface).contains("stream") || !nb::hasattr(object, "__dlpack__"));
  if (interface.is_none() && !nb::hasattr(object, "__dlpack__"))
    refuse("is no array of a GPU: it has neither __cuda_array_interface__ nor __dlpack__");
  if (by_interface) {
    take_interface(interface, stream);
  } else {
    take_dlpack(object, stream);
  }
  if (size_ == 0) return;
  cudaPointerAttributes attributes{};
  GSX_CUDA_CHECK(cudaPointerGetAttributes(&attributes, data_));
  if (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged)
    refuse("is not in the memory of a GPU");
  device_ = attributes.device;
}

void DeviceInput::take_interface(const nb::object& interface, cudaStream_t stream) {
  const nb::tuple shape = nb::cast<nb::tuple>(interface["shape"]);
  if (shape.size() != 1) refuse("has " + std::to_string(shape.size()) + " dimensions: give one");
  size_ = nb::cast<std::uint64_t>(shape[0]);
  // "|u1", "<i8": byte order, kind and bytes.
  const std::string type = nb::cast<std::string>(interface["typestr"]);
  if (type.size() != 3 || type[0] == '>' || std::strchr("uiSb", type[1]) == nullptr)
    refuse("has elements of type '" + type + "': give integers");
  item_bytes_ = static_cast<std::uint32_t>(type[2] - '0');
  const nb::dict entries = nb::cast<nb::dict>(interface);
  const nb::object strides =
      entries.contains("strides") ? nb::object(entries["strides"]) : nb::none();
  if (!strides.is_none() && size_ > 1 && nb::cast<std::int64_t>(strides[0]) != item_bytes_)
    refuse("is not contiguous: copy it");
  data_ = reinterpret_cast<const void*>(nb::cast<std::uintptr_t>(interface["data"][0]));
  const nb::object producer =
      entries.contains("stream") ? nb::object(entries["stream"]) : nb::none();
  if (producer.is_none()) return;
  const cudaStream_t theirs = stream_numbered(nb::cast<std::uintptr_t>(producer));
  if (theirs != stream) GSX_CUDA_CHECK(cudaStreamSynchronize(theirs));
}

void DeviceInput::take_dlpack(nb::handle object, cudaStream_t stream) {
  const nb::object capsule = object.attr("__dlpack__")(nb::arg("stream") = number_of(stream));
  nb::ndarray<nb::ro>& array = array_;
  if (!nb::try_cast(capsule, array, false)) refuse("cannot be read by DLPack");
  if (array.ndim() != 1) refuse("has " + std::to_string(array.ndim()) + " dimensions: give one");
  const nb::dlpack::dtype type = array.dtype();
  const auto code = static_cast<nb::dlpack::dtype_code>(type.code);
  if (type.lanes != 1 ||
      (code != nb::dlpack::dtype_code::UInt && code != nb::dlpack::dtype_code::Int))
    refuse("has elements of another type: give integers");
  size_ = array.size();
  if (size_ > 1 && array.stride(0) != 1) refuse("is not contiguous: copy it");
  item_bytes_ = type.bits / 8;
  data_ = array.data();
}

void DeviceInput::require(std::uint32_t item_bytes) const {
  if (item_bytes_ != item_bytes) {
    refuse("has elements of " + std::to_string(item_bytes_) + " bytes: give integers of " +
           std::to_string(item_bytes));
  }
}

void DeviceInput::require_on(int device, const char* other) const {
  if (size_ == 0 || device_ == device) return;
  refuse("is on GPU " + std::to_string(device_) + ", and " + other + " on GPU " +
         std::to_string(device) + ": copy it there");
}

void DeviceInput::refuse(const std::string& why) const {
  throw UsageError(what_ + " " + why);
}

}  // namespace gsx::python

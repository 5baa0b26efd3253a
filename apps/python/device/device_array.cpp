#include "device_array.hpp"

#include <cuda_runtime_api.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <new>
#include <numeric>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "base/buffer.hpp"
#include "device_input.hpp"
#include "gsx/error.hpp"
#include "kernels/base/cuda_error.hpp"
#include "kernels/base/current_device.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

constexpr int dlpack_cuda = 2;

nb::tuple shape_of(const DeviceArray& array) {
  nb::list shape;
  for (const std::size_t extent : array.shape())
    shape.append(extent);
  return nb::tuple(shape);
}

nb::str type_of(const DeviceArray& array) {
  const std::string bytes = std::to_string(array.item_bytes());
  return nb::str(((array.item_bytes() == 1 ? "|u" : "<u") + bytes).c_str());
}

nb::dict interface_of(const DeviceArray& array) {
  nb::dict interface;
  interface["shape"] = shape_of(array);
  interface["typestr"] = type_of(array);
  interface["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(array.data<void>()), false);
  interface["strides"] = nb::none();
  interface["version"] = 3;
  return interface;
}

/// All work on an array is done when Python gets it, so no stream has to wait.
nb::object dlpack_of(const nb::handle& self, const nb::kwargs&) {
  const auto& array = nb::cast<const DeviceArray&>(self);
  const nb::dlpack::dtype type{static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt),
                               static_cast<std::uint8_t>(array.item_bytes() * 8), 1};
  return nb::cast(nb::ndarray<>(array.data<void>(), array.shape().size(), array.shape().data(),
                                self, nullptr, type, dlpack_cuda, array.device()));
}

template <class T>
nb::object copy_to_host(const DeviceArray& array) {
  Buffer<T> host(array.size(), "copy of a device array");
  if (array.size() > 0) {
    const nb::gil_scoped_release released;
    GSX_CUDA_CHECK(cudaMemcpy(host.data(), array.data<T>(), array.bytes(), cudaMemcpyDeviceToHost));
  }
  return to_numpy(std::move(host)).attr("reshape")(shape_of(array));
}

nb::object get(const DeviceArray& array) {
  switch (array.item_bytes()) {
    case 1:
      return copy_to_host<std::uint8_t>(array);
    case 4:
      return copy_to_host<std::uint32_t>(array);
    default:
      return copy_to_host<std::uint64_t>(array);
  }
}

DeviceArray to_device(const nb::object& data, const std::optional<int>& device,
                      const nb::object& stream_object) {
  // Any contiguous integers, with their width kept.
  const nb::object array = nb::module_::import_("numpy").attr("ascontiguousarray")(
      PyObject_CheckBuffer(data.ptr()) != 0 && !nb::hasattr(data, "dtype")
          ? nb::module_::import_("numpy").attr("frombuffer")(data, nb::arg("dtype") = "uint8")
          : data);
  const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  const auto item_bytes = nb::cast<std::uint32_t>(array.attr("itemsize"));
  if ((kind != "i" && kind != "u") || (item_bytes != 1 && item_bytes != 4 && item_bytes != 8))
    throw UsageError("data has to be bytes, or an array of integers of 1, 4 or 8 bytes");
  if (!nb::cast<bool>(array.attr("dtype").attr("isnative")))
    throw UsageError(
        "data has the byte order of another machine: give data.astype(" +
        nb::cast<std::string>(nb::repr(array.attr("dtype").attr("newbyteorder")("=").attr("str"))) +
        ")");
  const HostBytes host(array.attr("reshape")(-1).attr("view")("uint8"), "data");
  const cudaStream_t stream = stream_of(stream_object);
  const nb::gil_scoped_release released;
  const cuda::CurrentDevice current(device ? *device : cuda::current_device());
  DeviceArray result({host.bytes().size() / item_bytes}, item_bytes);
  if (result.size() > 0) {
    GSX_CUDA_CHECK(cudaMemcpyAsync(result.data<void>(), host.bytes().data(), result.bytes(),
                                   cudaMemcpyHostToDevice, stream));
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  return result;
}

}  // namespace

DeviceArray::DeviceArray(std::vector<std::size_t> shape, std::uint32_t item_bytes)
    : shape_(std::move(shape)), item_bytes_(item_bytes) {
  GSX_CUDA_CHECK(cudaGetDevice(&device_));
  if (bytes() > 0) GSX_CUDA_CHECK(cudaMalloc(&data_, bytes()));
}

DeviceArray::~DeviceArray() {
  if (data_ == nullptr) return;
  const cuda::CurrentDevice current(device_, std::nothrow);
  (void)cudaFree(data_);
}

std::size_t DeviceArray::size() const {
  return std::accumulate(shape_.begin(), shape_.end(), std::size_t{1}, std::multiplies<>());
}

void register_device_array(nb::module_& module) {
  nb::class_<DeviceArray>(module, "DeviceArray",
                          "An array in the memory of a GPU, which CuPy and PyTorch take without a "
                          "copy: cupy.asarray(x), torch.from_dlpack(x). What made it is done.")
      .def_prop_ro("__cuda_array_interface__", &interface_of,
                   nb::sig("def __cuda_array_interface__(self) -> dict[str, typing.Any]"))
      .def("__dlpack__", &dlpack_of, nb::arg("kwargs"),
           nb::sig("def __dlpack__(self, **kwargs: typing.Any) -> typing.Any"))
      .def(
          "__dlpack_device__",
          [](const DeviceArray& array) { return nb::make_tuple(dlpack_cuda, array.device()); },
          nb::sig("def __dlpack_device__(self) -> tuple[int, int]"))
      .def("__len__", [](const DeviceArray& array) { return array.shape()[0]; })
      .def_prop_ro("shape", &shape_of, nb::sig("def shape(self) -> tuple[int, ...]"))
      .def_prop_ro(
          "dtype",
          [](const DeviceArray& array) {
            return nb::module_::import_("numpy").attr("dtype")(type_of(array));
          },
          nb::sig("def dtype(self) -> numpy.dtype[typing.Any]"))
      .def("get", &get, nb::sig("def get(self) -> numpy.typing.NDArray[typing.Any]"),
           "A copy in host memory, as a NumPy array.");
  module.def(
      "to_device", &to_device, nb::arg("data"), nb::kw_only(),
      nb::arg("device").none() = nb::none(), nb::arg("stream").none() = nb::none(),
      nb::sig("def to_device(data: typing.Any, *, device: int | None = None, "
              "stream: int | None = None) -> DeviceArray"),
      R"(A copy of bytes, or of a NumPy array of integers, on a GPU, with one dimension. For programs
that have neither CuPy nor PyTorch.

:param device: the number of the GPU; by default the current one.
:raises UsageError: for elements that are not integers of 1, 4 or 8 bytes.
:raises DeviceError: if there is no such GPU.
:raises ResourceError: if the GPU's memory is short.)");
}

}  // namespace gsx::python

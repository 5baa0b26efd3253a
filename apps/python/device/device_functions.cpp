// What gsx/device.cuh does, for arrays of Python.
#include <cuda_runtime_api.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "device_array.hpp"
#include "device_arrays.hpp"
#include "device_input.hpp"
#include "gsx/error.hpp"
#include "kernels/base/cuda_error.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/gsx/device.cuh"
#include "paths.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

/// Does work on the GPU of an array, without the lock of the interpreter.
template <class Work>
decltype(auto) on_device_of(const DeviceInput& input, const Work& work) {
  const nb::gil_scoped_release released;
  const cuda::CurrentDevice current(input.device());
  return work();
}

template <class Pos>
DeviceArray sorted(const DeviceInput& bytes, cudaStream_t stream) {
  DeviceArray rows({bytes.size()}, sizeof(Pos));
  suffix_array(bytes.data<std::uint8_t>(), bytes.size(), rows.data<Pos>(), stream);
  return rows;
}

template <class Pos>
DeviceArray inverted(const DeviceInput& rows, cudaStream_t stream) {
  DeviceArray inverse({rows.size()}, sizeof(Pos));
  inverse_suffix_array(rows.data<Pos>(), rows.size(), inverse.data<Pos>(), stream);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return inverse;
}

/// An index in the memory of a GPU, and that GPU.
class DeviceIndexObject {
 public:
  DeviceIndexObject(const IndexObject& index, const std::optional<int>& device) {
    const InUse in_use(index);
    const nb::gil_scoped_release released;
    device_ = device ? *device : cuda::current_device();
    const cuda::CurrentDevice current(device_);
    index_ = std::make_unique<DeviceIndex>(index.index());
  }
  DeviceIndexObject(DeviceIndexObject&&) = default;
  ~DeviceIndexObject() {
    const cuda::CurrentDevice current(device_, std::nothrow);
    index_.reset();
  }

  std::uint64_t bytes() const { return index_->bytes(); }

  DeviceArray count(const nb::object& letters_object, const nb::object& offsets_object,
                    const std::string& strands, const nb::object& stream_object) const {
    const Strands which = strands_named(strands);
    const cudaStream_t stream = stream_of(stream_object);
    const DeviceInput letters(letters_object, stream, "letters");
    const DeviceInput offsets(offsets_object, stream, "offsets");
    letters.require(1);
    offsets.require(8);
    letters.require_on(device_, "the index");
    offsets.require_on(device_, "the index");
    if (offsets.size() == 0) throw UsageError("offsets are empty: n patterns have n + 1 of them");
    return on_device_of(offsets, [&] {
      const auto* const first = offsets.data<std::uint64_t>();
      const std::uint64_t count = offsets.size() - 1;
      std::uint64_t ends[2];
      GSX_CUDA_CHECK(cudaMemcpyAsync(&ends[0], first, 8, cudaMemcpyDeviceToHost, stream));
      GSX_CUDA_CHECK(cudaMemcpyAsync(&ends[1], first + count, 8, cudaMemcpyDeviceToHost, stream));
      GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
      if (ends[0] != 0 || ends[1] > letters.size()) {
        throw UsageError("offsets go from " + std::to_string(ends[0]) + " to " +
                         std::to_string(ends[1]) + ", and must go from 0 to at most the " +
                         std::to_string(letters.size()) + " letters");
      }
      DeviceArray counts({static_cast<std::size_t>(count), 2}, 8);
      static_assert(sizeof(StrandCounts) == 16);
      if (count > 0) {
        index_->count({letters.data<char>(), first + 1, letters.size(), count},
                      counts.data<StrandCounts>(), stream, which);
      }
      index_->check(stream);
      GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
      return counts;
    });
  }

 private:
  int device_ = 0;
  std::unique_ptr<DeviceIndex> index_;
};

/// Its own checks: no function in Python stands around a constructor.
void make_device_index(DeviceIndexObject* place, const nb::object& index,
                       const nb::object& device) {
  const IndexObject* object = nullptr;
  if (!nb::try_cast(index, object) || object == nullptr)
    refuse_type(index, "index", "give an Index");
  std::optional<int> number;
  if (!nb::try_cast(device, number)) refuse_type(device, "device", "give the number of a GPU");
  new (place) DeviceIndexObject(*object, number);
}

}  // namespace

nb::object device_suffix_array(const nb::object& bytes, const nb::object& stream_object) {
  const cudaStream_t stream = stream_of(stream_object);
  const DeviceInput input(bytes, stream, "data");
  input.require(1);
  // As in host memory: 32 bits leave room for a separator.
  const bool narrow = input.size() < std::numeric_limits<std::uint32_t>::max();
  return nb::cast(on_device_of(input, [&] {
    return narrow ? sorted<std::uint32_t>(input, stream) : sorted<std::uint64_t>(input, stream);
  }));
}

nb::object device_inverse_suffix_array(const nb::object& rows, const nb::object& stream_object) {
  const cudaStream_t stream = stream_of(stream_object);
  const DeviceInput input(rows, stream, "rows");
  if (input.item_bytes() != 4) input.require(8);
  return nb::cast(on_device_of(input, [&] {
    return input.item_bytes() == 4 ? inverted<std::uint32_t>(input, stream)
                                   : inverted<std::uint64_t>(input, stream);
  }));
}

nb::object device_bwt(const nb::object& bytes, const nb::object& stream_object) {
  const cudaStream_t stream = stream_of(stream_object);
  const DeviceInput input(bytes, stream, "data");
  input.require(1);
  std::uint64_t primary = 0;
  DeviceArray transform = on_device_of(input, [&] {
    DeviceArray made({input.size()}, 1);
    primary = bwt(input.data<std::uint8_t>(), input.size(), made.data<std::uint8_t>(), stream);
    return made;
  });
  return nb::make_tuple(nb::cast(std::move(transform)), primary);
}

nb::object device_inverse_bwt(const nb::object& transform, std::uint64_t primary,
                              const nb::object& stream_object) {
  const cudaStream_t stream = stream_of(stream_object);
  const DeviceInput input(transform, stream, "bwt");
  input.require(1);
  return nb::cast(on_device_of(input, [&] {
    DeviceArray bytes({input.size()}, 1);
    inverse_bwt(input.data<std::uint8_t>(), input.size(), primary, bytes.data<std::uint8_t>(),
                stream);
    return bytes;
  }));
}

void register_device(nb::module_& module) {
  register_device_array(module);
  nb::class_<DeviceIndexObject>(
      module, "DeviceIndex",
      "A copy of an index in the memory of a GPU, for patterns that are there: of the one whose "
      "number `device` is, or the current one. Several threads may call.")
      .def("__init__", &make_device_index, nb::arg("index"), nb::kw_only(),
           nb::arg("device").none() = nb::none(),
           nb::sig("def __init__(self, index: Index, *, device: int | None = None) -> None"))
      .def_prop_ro("bytes", &DeviceIndexObject::bytes, "Bytes of the GPU's memory that it takes.")
      .def("count", &DeviceIndexObject::count, nb::arg("letters"), nb::arg("offsets"),
           nb::kw_only(), nb::arg("strands") = "both", nb::arg("stream").none() = nb::none(),
           nb::sig("def count(self, letters: typing.Any, offsets: typing.Any, *, "
                   "strands: typing.Literal['both', 'forward', 'reverse'] = 'both', stream: int | "
                   "None = None) -> DeviceArray"),
           R"(How often each pattern occurs on the forward strand, and its reverse complement does.

:param letters: bytes of all patterns, uint8 on the GPU.
:param offsets: n + 1 integers of 64 bits on the GPU, ascending from 0: pattern i is
    letters[offsets[i]:offsets[i + 1]]. Only the first and the last are checked.
:returns: uint64 of shape (n, 2), on the GPU.
:raises UsageError: for arrays of another form, and for one that is on another GPU than the index.)");
}

}  // namespace gsx::python

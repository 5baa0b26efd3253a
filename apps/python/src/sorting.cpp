// gsx.suffix_array, gsx.bwt and their inverses, and gsx.lcp_array, of what is in memory.
#include "gsx/suffix_array.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "device_arrays.hpp"
#include "index_object.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

SortOptions sort_options(const std::string& device, int threads,
                         const std::optional<std::int64_t>& memory_limit) {
  SortOptions options;
  options.device = device;
  options.threads = threads_within(threads);
  options.memory_limit = number_or(memory_limit, unlimited, "memory_limit");
  return options;
}

/// Runs work(options) in the background, where options have its progress.
template <class Result, class Work>
Result sorted(const nb::object& progress, SortOptions options, const Work& work) {
  std::optional<Result> result;
  run_in_background(progress, [&](BackgroundTask& task) {
    options.progress = task.progress();
    result.emplace(work(options));
  });
  return std::move(*result);
}

nb::object suffix_array_of(const nb::object& data, const nb::object& stream,
                           const std::string& device, int threads, const nb::object& progress) {
  if (is_device_array(data)) return device_suffix_array(data, stream);
  const HostBytes bytes(data, "data");
  return positions_to_numpy(sorted<SuffixArray>(
      progress, sort_options(device, threads, {}),
      [&](const SortOptions& options) { return suffix_array(bytes.bytes(), options); }));
}

/// Throws UsageError unless `rows` holds each of 0 .. size - 1 once. Otherwise its inverse would
/// have places that nothing is written to.
template <class Pos>
void require_permutation(const Pos* rows, std::size_t size) {
  std::vector<bool> seen(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (rows[i] >= size || seen[rows[i]]) {
      throw UsageError("rows is no suffix array: row " + std::to_string(i) + " has position " +
                       std::to_string(rows[i]) +
                       (rows[i] < size ? " again" : ", which is too large"));
    }
    seen[rows[i]] = true;
  }
}

nb::object inverse_suffix_array_of(const nb::object& rows, const nb::object& stream, int threads) {
  if (is_device_array(rows)) return device_inverse_suffix_array(rows, stream);
  using Narrow = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  using Wide = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  const auto invert = [&]<class Pos>(const Pos* all, std::size_t size) {
    std::optional<InverseSuffixArray> inverse;
    run_in_background(nb::none(), [&](BackgroundTask&) {
      // A copy is checked: another thread may change the array meanwhile.
      Buffer<Pos> copy(size, "suffix array");
      if (size > 0) std::memcpy(copy.data(), all, copy.bytes());
      require_permutation(copy.data(), size);
      inverse.emplace(inverse_suffix_array(SuffixArray(std::move(copy)), threads_within(threads)));
    });
    return positions_to_numpy(std::move(*inverse));
  };
  Narrow narrow;
  Wide wide;
  if (nb::try_cast(rows, narrow, false)) return invert(narrow.data(), narrow.size());
  if (nb::try_cast(rows, wide, false)) return invert(wide.data(), wide.size());
  throw UsageError("rows has to be a suffix array: uint32 or uint64, of one dimension");
}

nb::object bwt_of(const nb::object& data, const nb::object& stream, const std::string& device,
                  int threads, const std::optional<std::int64_t>& memory_limit,
                  const nb::object& progress) {
  if (is_device_array(data)) return device_bwt(data, stream);
  const HostBytes bytes(data, "data");
  BytesBwt result =
      sorted<BytesBwt>(progress, sort_options(device, threads, memory_limit),
                       [&](const SortOptions& options) { return bwt(bytes.bytes(), options); });
  const std::uint64_t primary = result.primary;
  return nb::make_tuple(to_numpy(std::move(result.bytes)), primary);
}

nb::object inverse_bwt_of(const nb::object& transform, std::int64_t primary,
                          const nb::object& stream, const std::string& device, int threads,
                          const nb::object& progress) {
  const std::uint64_t row = number_or(primary, 0, "primary", 0);
  if (is_device_array(transform)) return device_inverse_bwt(transform, row, stream);
  const HostBytes bytes(transform, "bwt");
  return to_numpy(sorted<Buffer<std::uint8_t>>(
      progress, sort_options(device, threads, {}), [&](const SortOptions& options) {
        const auto all = bytes.bytes();
        BytesBwt copy{Buffer<std::uint8_t>(all.size(), "BWT"), row};
        if (!all.empty()) std::memcpy(copy.bytes.data(), all.data(), all.size());
        return inverse_bwt(copy, options);
      }));
}

/// The suffix array and the LCP array.
nb::object lcp_array_of(const nb::object& data, const std::string& device, int threads,
                        const nb::object& progress) {
  const HostBytes bytes(data, "data");
  std::optional<SuffixArray> rows;
  std::optional<PositionArray> lengths;
  SortOptions options = sort_options(device, threads, {});
  run_in_background(progress, [&](BackgroundTask& task) {
    options.progress = task.progress();
    rows.emplace(suffix_array(bytes.bytes(), options));
    const LcpArray lcp = lcp_array(bytes.bytes(), *rows, options.threads);
    rows->visit([&]<class Pos>(const Pos*) {
      Buffer<Pos> all(lcp.size(), "LCP array");
      lcp.for_each(0, lcp.size(), [&](std::uint64_t i, std::uint64_t length) {
        all[i] = static_cast<Pos>(length);
      });
      lengths.emplace(std::move(all));
    });
  });
  return nb::make_tuple(positions_to_numpy(std::move(*rows)),
                        positions_to_numpy(std::move(*lengths)));
}

#define GSX_BYTES "bytes | bytearray | memoryview | numpy.typing.NDArray[numpy.uint8] | typing.Any"
#define GSX_POSITIONS \
  "numpy.typing.NDArray[numpy.uint32] | numpy.typing.NDArray[numpy.uint64] | DeviceArray"
#define GSX_PROGRESS "progress: collections.abc.Callable[[str, float], object] | None = None"

}  // namespace

void register_sorting(nb::module_& module) {
  module.def(
      "suffix_array", &suffix_array_of, nb::arg("data"), nb::kw_only(),
      nb::arg("stream").none() = nb::none(), nb::arg("device") = "auto", nb::arg("threads") = 0,
      nb::arg("progress").none() = nb::none(),
      nb::sig("def suffix_array(data: " GSX_BYTES ", *, stream: int | None = None, "
              "device: str = 'auto', threads: int = 0, " GSX_PROGRESS ") -> " GSX_POSITIONS),
      R"(The suffix array of bytes: their n positions, in the order of the suffixes that start
there, a shorter one before the longer ones that it begins.

:param data: n bytes in host memory, or an array of uint8 in the memory of a GPU, which CuPy or
    PyTorch has (`__cuda_array_interface__` or DLPack).
:param stream: for an array on a GPU: the CUDA stream, as an integer, to work on; by default the
    default stream.
:param device: for bytes in host memory: 'auto', 'cpu', 'cuda', 'cuda:N', ...
:param threads: 0 for as many as the process may run.
:param progress: called as progress(stage, fraction) now and then.
:returns: uint32 of shape (n,), uint64 for 2^32 - 1 bytes and more: a NumPy array, or a DeviceArray
    of an array on a GPU.
:raises UsageError: for more than 255 different byte values, and for a str.
:raises ResourceError: if memory is short.
:raises DeviceError: if a GPU was asked for that cannot be used.

Cost: human DNA takes about 17 ns per byte on one thread.)");
  module.def(
      "lcp_array", &lcp_array_of, nb::arg("data"), nb::kw_only(), nb::arg("device") = "auto",
      nb::arg("threads") = 0, nb::arg("progress").none() = nb::none(),
      nb::sig("def lcp_array(data: bytes | bytearray | memoryview | "
              "numpy.typing.NDArray[numpy.uint8], *, device: str = 'auto', threads: int = "
              "0, " GSX_PROGRESS ") -> tuple[numpy.typing.NDArray[typing.Any], "
              "numpy.typing.NDArray[typing.Any]]"),
      R"(The suffix array of bytes, and its LCP array: entry r is the number of symbols that the
suffixes in rows r - 1 and r have in common; entry 0 is 0.

Takes what suffix_array() takes, in host memory.

:returns: (rows, lcp), of shape (n,) and of one type: uint32, or uint64 for 2^32 - 1 bytes and more.

Raises what suffix_array() raises. Ctrl-C ends the sorting; what comes behind it ends first.
Cost: that of suffix_array(), and about 10 ns per byte of human DNA on two threads; memory of 1.3
bytes per byte beside the arrays, and
more where much repeats.)");
  module.def("inverse_suffix_array", &inverse_suffix_array_of, nb::arg("rows"), nb::kw_only(),
             nb::arg("stream").none() = nb::none(), nb::arg("threads") = 0,
             nb::sig("def inverse_suffix_array(rows: " GSX_POSITIONS " | typing.Any, *, "
                     "stream: int | None = None, threads: int = 0) -> " GSX_POSITIONS),
             R"(The inverse of a suffix array: for each position, the row of its suffix.

:param rows: a suffix array, as suffix_array() gives it, in host memory or on a GPU. On a GPU it is
    not checked to be a permutation.
:returns: an array of the same type and shape.
:raises UsageError: for an array in host memory that does not hold each position once.

Cost: one random write per row, and as many to check them.)");
  module.def(
      "bwt", &bwt_of, nb::arg("data"), nb::kw_only(), nb::arg("stream").none() = nb::none(),
      nb::arg("device") = "auto", nb::arg("threads") = 0,
      nb::arg("memory_limit").none() = nb::none(), nb::arg("progress").none() = nb::none(),
      nb::sig(
          "def bwt(data: " GSX_BYTES ", *, stream: int | None = None, "
          "device: str = 'auto', threads: int = 0, memory_limit: int | None = None, " GSX_PROGRESS
          ") -> tuple[numpy.typing.NDArray[numpy.uint8] | DeviceArray, int]"),
      R"(The Burrows-Wheeler transform of bytes, as if a symbol smaller than all others stood
behind them.

Takes what suffix_array() takes, and

:param memory_limit: bytes of host memory that the process may take; with less than is fast, suffixes
    are sorted in blocks.
:returns: (bytes, primary): uint8 of shape (n,), the byte before each suffix; and the row, of n + 1,
    of the smallest symbol, which is left out.

Raises what suffix_array() raises.)");
  module.def(
      "inverse_bwt", &inverse_bwt_of, nb::arg("bwt"), nb::arg("primary"), nb::kw_only(),
      nb::arg("stream").none() = nb::none(), nb::arg("device") = "auto", nb::arg("threads") = 0,
      nb::arg("progress").none() = nb::none(),
      nb::sig("def inverse_bwt(bwt: " GSX_BYTES ", primary: int, *, "
              "stream: int | None = None, device: str = 'auto', threads: int = 0, " GSX_PROGRESS
              ") -> numpy.typing.NDArray[numpy.uint8] | DeviceArray"),
      R"(The bytes whose transform bwt() has given.

:returns: uint8 of shape (n,).
:raises InputError: if no bytes have this transform.
:raises UsageError: for 256 different byte values.

Cost: one random access per byte.)");
}

}  // namespace gsx::python

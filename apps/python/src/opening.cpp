// gsx.open, Index.save, Index.close, and what an index is.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "base/messages.hpp"
#include "choice.hpp"
#include "device/registry.hpp"
#include "errors.hpp"
#include "index/store/indexed_records.hpp"
#include "index_object.hpp"
#include "paths.hpp"
#include "strings.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

std::unique_ptr<IndexObject> open(const nb::object& path, const std::string& device, int threads,
                                  const std::string& load,
                                  const std::optional<std::int64_t>& gpu_memory) {
  const Load how =
      choose<Load>(load, "load", {{"map", Load::map}, {"read", Load::read}, {"lazy", Load::lazy}});
  SearchOptions searching{
      device, threads_within(threads), number_or(gpu_memory, unlimited, "gpu_memory"), {}};
  const std::string file = path_of(path, "path");
  (void)devices_named(device);
  std::optional<Index> index;
  run_in_background(nb::none(), [&](BackgroundTask&) {
    with_files({file}, [&] { index.emplace(open_index(file, how, searching.threads)); });
  });
  return std::make_unique<IndexObject>(std::move(*index), std::move(searching));
}

void save(const IndexObject& index, const nb::object& path, bool force) {
  const InUse in_use(index);
  const std::string file = path_of(path, "path");
  std::error_code error;
  if (!force && std::filesystem::is_regular_file(file, error) &&
      std::filesystem::file_size(file, error) != 0 && !begins_as_index(file)) {
    throw UsageError("'" + printable(file) +
                     "' exists and is not a gsx index: name another file, or replace it with "
                     "force=True");
  }
  run_in_background(nb::none(), [&](BackgroundTask&) { index.index().save(file); });
}

std::string device_of(const IndexObject& index) {
  const InUse in_use(index);
  std::string device;
  run_in_background(nb::none(), [&](BackgroundTask&) { device = index.searcher()->device(); });
  return device;
}

std::uint64_t symbols_of(const IndexObject& object) {
  const Meta& meta = object.index().meta();
  return meta.length - meta.segments;
}

nb::object description(const IndexObject& index) {
  if (index.is_closed()) return nb::str("<gsx.Index, closed>");
  const std::size_t records = index.index().records().size();
  return nb::str("<gsx.Index of {} {}, {} symbols of {}, in {}>")
      .attr("format")(records, records == 1 ? "record" : "records", symbols_of(index),
                      std::string(name_of(index.index().alphabet().policy())),
                      decoded(index.index().path()));
}

}  // namespace

void register_opening(nb::module_& module, IndexClass& index) {
  module.def("open", &open, nb::arg("path"), nb::arg("device") = "auto", nb::kw_only(),
             nb::arg("threads") = 0, nb::arg("load") = "map",
             nb::arg("gpu_memory").none() = nb::none(),
             nb::sig("def open(path: str | os.PathLike[str], device: str = 'auto', *, "
                     "threads: int = 0, load: typing.Literal['map', 'read', 'lazy'] = 'map', "
                     "gpu_memory: int | None = None) -> Index"),
             R"(Opens an index file, as build() and save(), or the program gsx, have made it, or the
manifest of an index in shards. Of shards, counts, places, guides and mappability are those of one
index of all records; only max_hits may keep other hits. mem() and match_lengths() need join().

:param device: 'auto', 'cpu', 'cuda', 'cuda:N', ...: what searches. It is taken at the first search.
:param threads: that search; 0 for as many as the process may run.
:param load: 'map': the file is mapped, and checked in one pass; nobody may cut it short while the
    index lives. 'read': it is copied into memory. 'lazy': mapped, and only its tables are checked.
:raises ForeignIndexError: if the file is missing or no index of this version.
:raises CorruptIndexError: if it is damaged; with load='lazy', a later call that reads it may.

Cost: one pass over the file, unless 'lazy'.)");
  index.def(
      "save", &save, nb::arg("path"), nb::kw_only(), nb::arg("force") = false,
      nb::sig("def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None"),
      R"(Writes the index to a file, which appears under its name only when it is complete: byte
for byte what `gsx index` writes. Replaces an index of that name, and with `force` any file.

:raises UsageError: if a file that is no index has the name.
:raises IoError: if the file cannot be written; ResourceError if the disk is full.)");
  index.def_prop_ro(
      "shards", [](const IndexObject& object) { return object.index().parts().size(); },
      "The number of shards; 0 for an index that is not in shards.");
  index.def_prop_ro("device", &device_of, nb::sig("def device(self) -> str"),
                    "What searches: 'cpu', or the GPUs by number and name. Makes the searcher.");
  index.def_prop_ro(
      "path", [](const IndexObject& object) { return decoded(object.index().path()); },
      nb::sig("def path(self) -> str"), "Name of the file; 'memory' if there is none.");
  index.def_prop_ro(
      "alphabet",
      [](const IndexObject& object) {
        return std::string(name_of(object.index().alphabet().policy()));
      },
      "'dna', 'protein' or 'bytes'.");
  index.def_prop_ro("symbols", &symbols_of, "Symbols that are indexed, of all records.");
  index.def_prop_ro(
      "file_bytes", [](const IndexObject& object) { return object.index().file_bytes(); },
      "Bytes of the index, as a file.");
  index.def(
      "close", [](IndexObject& object) { object.close(); }, nb::sig("def close(self) -> None"),
      R"(Lets go of the file and the memory; `with gsx.open(path) as index:` does it at the end. Does
nothing to an index that is closed; every other use of that is a UsageError.

:raises UsageError: while another thread works on the index.)");
  index.def(
      "__enter__",
      [](nb::handle self) {
        (void)nb::cast<IndexObject&>(self).index();  // throws if it is closed
        return nb::borrow(self);
      },
      nb::sig("def __enter__(self) -> Index"));
  index.def(
      "__exit__", [](IndexObject& object, const nb::args&) { object.close(); },
      nb::sig("def __exit__(self, *error: object) -> None"));
  index.def("__len__", [](const IndexObject& object) { return object.index().records().size(); });
  index.def("__reduce__", [](const IndexObject&) -> nb::object {
    throw ArgumentTypeError(
        "an Index cannot be pickled: save it to a file, and open the file in each process");
  });
  index.def("__repr__", &description, nb::sig("def __repr__(self) -> str"));
}

}  // namespace gsx::python

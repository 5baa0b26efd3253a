// Index.records, Index.extract and Index.places: what the records are.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/messages.hpp"
#include "gsx/error.hpp"
#include "gsx/search.hpp"
#include "index_object.hpp"
#include "integers.hpp"
#include "items.hpp"
#include "paths.hpp"
#include "strings.hpp"
#include "text/record_finder.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

/// So many are placed before a thread has started.
constexpr std::size_t few_positions = 4096;

/// Refers to the index, which Python keeps.
struct Records {
  const IndexObject* of;
  const RecordsView& view() const { return of->index().records(); }
};

template <class ItemOf>
nb::object object_array(std::uint64_t size, const ItemOf& item_of) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::object array = numpy.attr("empty")(size, nb::arg("dtype") = "O");
  nb::list items;
  for (std::uint64_t i = 0; i < size; ++i)
    items.append(item_of(i));
  array[nb::slice(nb::none(), nb::none(), nb::none())] = items;
  return array;
}

/// Pre: the name is among those that the finder wants.
std::uint64_t number_of(const RecordsView& records, const RecordFinder& finder,
                        std::string_view name) {
  const auto found = finder.find(name);
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    std::string numbers;
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 4); ++i)
      numbers += (i == 0 ? "" : ", ") + std::to_string(found[i]);
    if (found.size() > 4) numbers += ", ...";
    throw UsageError(std::to_string(found.size()) + " records are named '" + printable(name) +
                     "' (" + numbers + "): give the number of one");
  }
  throw UsageError("there is no record '" + printable(name) + "'; " +
                   advice_on_name(records, name));
}

/// The bytes of a name that is a str, as decoded() takes them.
std::string bytes_of(nb::handle name) {
  const nb::object bytes = name.attr("encode")("utf-8", "surrogateescape");
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

std::uint64_t require_record(const RecordsView& records, std::int64_t number) {
  if (number < 0 || static_cast<std::uint64_t>(number) >= records.size()) {
    throw UsageError("there is no record " + std::to_string(number) + ": the index has " +
                     std::to_string(records.size()) + ", counted from 0");
  }
  return static_cast<std::uint64_t>(number);
}

std::uint64_t record_of(const IndexObject& index, const nb::object& record) {
  const RecordsView& records = index.index().records();
  if (nb::isinstance<nb::str>(record)) {
    const std::string name = bytes_of(record);
    return number_of(records, RecordFinder(records, {name}), name);
  }
  const Py_ssize_t number = PyNumber_AsSsize_t(record.ptr(), PyExc_OverflowError);
  if (number == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return require_record(records, number);
}

nb::object extract_from(const IndexObject& object, const nb::object& record, std::int64_t start,
                        const std::optional<std::int64_t>& end) {
  const InUse in_use(object);
  const Index& index = object.index();
  const std::uint64_t number = record_of(object, record);
  const std::uint64_t length = index.records().infos[number].length;
  const std::uint64_t first = number_or(start, 0, "start", 0);
  const std::uint64_t last = std::min(number_or(end, length, "end", 0), length);
  std::string symbols;
  {
    const nb::gil_scoped_release released;
    symbols = extract(index, number, first, last);
    index.require_unchanged();
  }
  return nb::steal(
      PyUnicode_DecodeLatin1(symbols.data(), static_cast<Py_ssize_t>(symbols.size()), nullptr));
}

nb::object places(const IndexObject& object, const nb::object& positions) {
  const InUse in_use(object);
  const Integers integers(positions, "positions");
  const auto all = integers.values();
  const Index& index = object.index();
  const std::uint64_t length = index.meta().length;
  std::vector<std::int64_t> target(all.size()), offset(all.size());
  const auto place = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::int64_t position = all[i];
      if (position < 0 || static_cast<std::uint64_t>(position) >= length) {
        throw UsageError("position " + std::to_string(position) +
                         " is outside the text, which has " + std::to_string(length) + " symbols");
      }
      const Occurrence at =
          occurrence_of(index, Hit(static_cast<std::uint64_t>(position), false), 0);
      target[i] = static_cast<std::int64_t>(at.record);
      offset[i] = static_cast<std::int64_t>(at.begin);
    }
  };
  if (all.size() <= few_positions) {
    const nb::gil_scoped_release released;
    place(0, all.size());
    index.require_unchanged();
  } else {
    run_in_background(nb::none(), [&](BackgroundTask& task) {
      in_pieces(
          task, "placing", all.size(), few_positions, [](std::size_t) { return 1; }, place);
      index.require_unchanged();
    });
  }
  return nb::make_tuple(to_numpy(std::move(target)), to_numpy(std::move(offset)));
}

/// One of them.
struct Record {
  const IndexObject* of;
  std::uint64_t number;
  nb::object kept = {};  ///< the Records, which keep the index

  RecordsView all() const { return of->index().records(); }
  nb::object name() const { return decoded(all().name(number)); }
  nb::object comment() const { return decoded(all().comment(number)); }
  std::uint64_t length() const { return all().infos[number].length; }
  nb::object md5() const {
    const auto md5s = of->index().md5s();
    return md5s.empty() ? nb::object(nb::none()) : nb::object(nb::cast(to_hex(md5s[number])));
  }
  nb::object file() const {
    const SourceFilesView files = all().files;
    if (files.empty()) return nb::none();
    const auto end = std::ranges::upper_bound(files.record_ends, number);
    return decoded(files.name(static_cast<std::uint64_t>(end - files.record_ends.begin())));
  }
  bool operator==(const Record& other) const { return of == other.of && number == other.number; }
  nb::object description() const {
    return nb::str("<gsx.Record {}: {}, {} symbols>").attr("format")(number, name(), length());
  }
};

Record record_at(const Records& records, const nb::object& which) {
  const std::uint64_t size = records.view().size();
  if (nb::isinstance<nb::str>(which)) return {records.of, record_of(*records.of, which)};
  const Py_ssize_t number = PyNumber_AsSsize_t(which.ptr(), PyExc_IndexError);
  if (number == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  const Py_ssize_t at = number < 0 ? number + static_cast<Py_ssize_t>(size) : number;
  if (at < 0 || static_cast<std::uint64_t>(at) >= size) {
    throw nb::index_error(("there is no record " + std::to_string(number) + ": the index has " +
                           std::to_string(size) + ", counted from 0")
                              .c_str());
  }
  return {records.of, static_cast<std::uint64_t>(at)};
}

/// The record of a number or a name.
Record record_of_these(nb::handle self, const nb::object& which) {
  Record record = record_at(nb::cast<const Records&>(self), which);
  record.kept = nb::borrow(self);
  return record;
}

nb::list records_of_these(nb::handle self, const nb::slice& which) {
  const auto [start, stop, step, size] =
      which.compute(nb::cast<const Records&>(self).view().size());
  nb::list some;
  for (std::size_t i = 0; i < size; ++i)
    some.append(record_of_these(self, nb::int_(start + static_cast<Py_ssize_t>(i) * step)));
  return some;
}

/// The first and the last few, a line each.
nb::object description_of(const Records& records) {
  constexpr std::uint64_t most = 10;
  const std::uint64_t size = records.view().size();
  std::string lines = "<gsx.Records: " + std::to_string(size) + ">";
  for (std::uint64_t i = 0; i < size; ++i) {
    if (size > most && i == most - 2) {
      lines += "\n...";
      i = size - 1;
    }
    lines += "\n" + std::to_string(i) + "\t" + printable(records.view().name(i)) + "\t" +
             std::to_string(records.view().infos[i].length);
  }
  return decoded(lines);
}

nb::object md5s(const Records& records) {
  const auto all = records.of->index().md5s();
  if (all.empty()) return nb::none();
  return object_array(all.size(), [&](std::uint64_t i) { return nb::cast(to_hex(all[i])); });
}

nb::object lengths(const Records& records) {
  std::vector<std::int64_t> all;
  for (const RecordInfo& info : records.view().infos)
    all.push_back(static_cast<std::int64_t>(info.length));
  return to_numpy(std::move(all));
}

nb::object files(const Records& records) {
  const SourceFilesView all = records.view().files;
  if (all.empty()) return nb::none();
  return object_array(all.size(), [&](std::uint64_t i) { return decoded(all.name(i)); });
}

nb::object file_numbers(const Records& records) {
  const SourceFilesView all = records.view().files;
  if (all.empty()) return nb::none();
  std::vector<std::int64_t> numbers;
  numbers.reserve(records.view().size());
  for (std::uint64_t file = 0; file < all.size(); ++file)
    numbers.resize(all.record_ends[file], static_cast<std::int64_t>(file));
  return to_numpy(std::move(numbers));
}

/// Whether a record has the name, or is the record. Cost: O(records).
bool has_record(const Records& records, nb::handle which) {
  if (nb::isinstance<Record>(which)) return nb::cast<const Record&>(which).of == records.of;
  if (!nb::isinstance<nb::str>(which)) return false;
  const std::string name = bytes_of(which);
  for (std::uint64_t i = 0; i < records.view().size(); ++i)
    if (records.view().name(i) == name) return true;
  return false;
}

}  // namespace

std::vector<std::uint64_t> records_of(const IndexObject& index, const nb::object& which,
                                      const char* what) {
  const nb::object items = items_of(which);
  if (!items.is_valid()) refuse_type(which, what, "give numbers or names of records");
  const RecordsView& records = index.index().records();
  std::vector<nb::object> all;
  std::vector<std::string> names;
  for (const nb::handle item : nb::borrow<nb::tuple>(items)) {
    // Scalars of Arrow are no numbers or strings of Python.
    all.push_back(nb::hasattr(item, "as_py") ? item.attr("as_py")() : nb::borrow(item));
    if (nb::isinstance<nb::str>(all.back())) names.push_back(bytes_of(all.back()));
  }
  const RecordFinder finder(records, {names.begin(), names.end()});
  std::vector<std::uint64_t> numbers;
  std::size_t name = 0;
  for (const nb::object& item : all) {
    if (nb::isinstance<nb::str>(item)) {
      numbers.push_back(number_of(records, finder, names[name++]));
    } else if (PyIndex_Check(item.ptr()) != 0) {
      numbers.push_back(record_of(index, item));
    } else {
      refuse_type(item, std::string(what) + "[" + std::to_string(numbers.size()) + "]",
                  "give the number or the name of a record");
    }
  }
  return numbers;
}

void register_records(nb::module_& module, IndexClass& index) {
  nb::class_<Record>(module, "Record", "A record of an index.")
      .def_ro("number", &Record::number, "Its number in the index, from 0 on.")
      .def_prop_ro("name", &Record::name, nb::sig("def name(self) -> str"), "Its name.")
      .def_prop_ro("comment", &Record::comment, nb::sig("def comment(self) -> str"),
                   "What stood behind the name in the header.")
      .def_prop_ro("length", &Record::length, "Its symbols, ambiguous ones included.")
      .def_prop_ro("md5", &Record::md5, nb::sig("def md5(self) -> str | None"),
                   "Its MD5 as 32 hexadecimal digits; None if the index has none.")
      .def_prop_ro("file", &Record::file, nb::sig("def file(self) -> str | None"),
                   "The file that it came from; None if the index does not keep files.")
      .def("__len__", &Record::length)
      .def(
          "__eq__", [](const Record& a, const Record& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const Record& record) { return std::hash<std::uint64_t>()(record.number); })
      .def("__repr__", &Record::description, nb::sig("def __repr__(self) -> str"));
  nb::class_<Records>(module, "Records", "The records of an index, in the order of the input.")
      .def("__len__", [](const Records& records) { return records.view().size(); })
      .def("__getitem__", &records_of_these, nb::arg("which"),
           nb::sig("def __getitem__(self, which: slice) -> list[Record]"))
      .def("__getitem__", &record_of_these, nb::arg("which"),
           nb::sig("def __getitem__(self, which: int | str) -> Record"),
           R"(The record of a number or a name; a list of those of a slice.

:raises IndexError: for a number that is too large; UsageError: for a name that no record or several
    have.)")
      .def("__contains__", &has_record, nb::arg("which").none(),
           nb::sig("def __contains__(self, which: object) -> bool"),
           "Whether a record has the name `which`, or is the Record `which`.")
      .def(
          "__iter__",
          [](nb::handle self) {
            return nb::module_::import_("builtins")
                .attr("iter")(
                    records_of_these(self, nb::slice(nb::none(), nb::none(), nb::none())));
          },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[Record]"))
      .def("__repr__", &description_of, nb::sig("def __repr__(self) -> str"))
      .def_prop_ro(
          "names",
          [](const Records& records) {
            return object_array(records.view().size(),
                                [&](std::uint64_t i) { return decoded(records.view().name(i)); });
          },
          nb::sig("def names(self) -> numpy.typing.NDArray[numpy.object_]"),
          "Their names: a NumPy array of str. Made at each call: keep it.")
      .def_prop_ro(
          "comments",
          [](const Records& records) {
            return object_array(records.view().size(), [&](std::uint64_t i) {
              return decoded(records.view().comment(i));
            });
          },
          nb::sig("def comments(self) -> numpy.typing.NDArray[numpy.object_]"),
          "What stood behind the names in the headers: a NumPy array of str.")
      .def_prop_ro("lengths", &lengths,
                   nb::sig("def lengths(self) -> numpy.typing.NDArray[numpy.int64]"),
                   "Symbols of each record, ambiguous ones included: int64.")
      .def_prop_ro("md5s", &md5s,
                   nb::sig("def md5s(self) -> numpy.typing.NDArray[numpy.object_] | None"),
                   "The MD5 of each record as 32 hexadecimal digits; None if the index has none.")
      .def_prop_ro("files", &files,
                   nb::sig("def files(self) -> numpy.typing.NDArray[numpy.object_] | None"),
                   "The files that the records came from, by the names that the index keeps, "
                   "without folders and suffixes; "
                   "None if the index does not keep them.")
      .def_prop_ro(
          "file_numbers", &file_numbers,
          nb::sig("def file_numbers(self) -> numpy.typing.NDArray[numpy.int64] | None"),
          "The number in `files` of the file of each record: int64; None where `files` is.")
      .def(
          "number",
          [](const Records& records, const nb::str& name) { return record_of(*records.of, name); },
          nb::arg("name"), nb::sig("def number(self, name: str) -> int"),
          R"(The number of the record of this name, from 0 on.

:raises UsageError: if no record or several have this name.

Cost: one pass over all names.)");
  index.def_prop_ro(
      "records", [](const IndexObject& object) { return Records{&object}; }, nb::keep_alive<0, 1>(),
      "The records: names, lengths, comments, MD5s.");
  index.def(
      "extract", &extract_from, nb::arg("record"), nb::arg("start") = 0,
      nb::arg("end").none() = nb::none(),
      nb::sig("def extract(self, record: int | str, start: int = 0, end: int | None = None) "
              "-> str"),
      R"(Symbols [start, end) of a record, ambiguous ones included; those of DNA and protein in
upper case. An index of bytes gives the character of the same number for each byte.

:param record: its number or its name.
:param start: counted from 0.
:param end: by default, and at most, the end of the record.
:raises UsageError: for a record that does not exist, and a start behind the end.

Cost: O(end - start).)");
  index.def("places", &places, nb::arg("positions"),
            nb::sig("def places(self, positions: collections.abc.Sequence[int] | "
                    "numpy.typing.NDArray[typing.Any]) -> "
                    "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]"),
            R"(Record and offset of positions in the text, as suffix_array() has them.

:param positions: integers, in an array of one dimension or a list.
:returns: (target, offset), int64.
:raises UsageError: for a position outside the text, and for numbers that are no integers.)");
}

}  // namespace gsx::python

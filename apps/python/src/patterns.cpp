#include "patterns.hpp"

#include <nanobind/stl/string.h>

#include <cmath>
#include <cstdint>
#include <memory>

#include "arrow_strings.hpp"
#include "base/messages.hpp"
#include "errors.hpp"
#include "integers.hpp"
#include "items.hpp"
#include "paths.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

template <class T>
T* pointer_of(nb::handle capsule, const char* name) {
  void* const pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) throw nb::python_error();
  return static_cast<T*>(pointer);
}

/// A schema or array that a stream has given, released with its owner.
template <class T>
struct Released {
  T value{};
  Released() = default;
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released() {
    if (value.release != nullptr) value.release(&value);
  }
};

std::string_view format_of(const Py_buffer& buffer) {
  return buffer.format == nullptr ? "B" : buffer.format;
}

bool is_bytes(const Py_buffer& buffer) {
  const std::string_view format = format_of(buffer);
  return buffer.itemsize == 1 &&
         (format == "B" || format == "b" || format == "c" || format == "s" || format == "1s");
}

/// Whether the elements are strings of NumPy, or objects.
bool has_strings(const Py_buffer& buffer) {
  const std::string_view format = format_of(buffer);
  return format.ends_with('s') || format.ends_with('w') || format.ends_with('O');
}

[[noreturn]] void refuse_dimensions(const char* what, int dimensions) {
  throw UsageError(
      std::string(what) + " is an array with " + std::to_string(dimensions) +
      " dimensions: give one of strings, or two of uint8, of which rows are sequences");
}

[[noreturn]] void refuse_gaps(const char* what) {
  throw UsageError(std::string(what) +
                   " is not contiguous: copy it, as numpy.ascontiguousarray does");
}

[[noreturn]] void refuse_file(const char* what, const std::string& name) {
  throw ArgumentTypeError(std::string(what) + " is the name of a file, '" + printable(name) +
                          "': give the sequences in it, as gsx.read_sequences() reads them");
}

/// Whether a sequence seems to be the name of a file: no letters of sequences are in it.
bool looks_like_path(std::string_view sequence) {
  return sequence.find_first_of("./\\") != std::string_view::npos;
}

/// Whether an item stands for a value that is missing, as in tables: None, NaN or pandas.NA.
bool is_missing(nb::handle item) {
  if (item.is_none()) return true;
  if (PyFloat_Check(item.ptr()) != 0) return std::isnan(PyFloat_AS_DOUBLE(item.ptr()));
  return std::string_view(nb::type_name(item.type()).c_str()).ends_with("NAType");
}

bool is_blank(char symbol) {
  return symbol == ' ' || (symbol >= '\t' && symbol <= '\r');
}

}  // namespace

PatternStrings::PatternStrings(nb::object source, const nb::object& offsets, const char* what)
    : what_(what) {
  kept_.push_back(source);
  const bool has_offsets = !offsets.is_none();
  if (!has_offsets && (nb::isinstance<nb::str>(source) || nb::isinstance<nb::bytes>(source))) {
    is_one_ = true;
    take_one(source, what);
  } else if (nb::hasattr(source, "__fspath__")) {
    refuse_file(what, nb::str(source).c_str());
  } else if (nb::hasattr(source, "__arrow_c_array__") && !has_offsets) {
    take_arrow_array(source.attr("__arrow_c_array__")(), what);
  } else if (nb::hasattr(source, "__arrow_c_stream__") && !has_offsets) {
    take_arrow_stream(source.attr("__arrow_c_stream__")(), what);
  } else if (PyObject_CheckBuffer(source.ptr()) != 0) {
    take_buffer(offsets, what);
  } else if (has_offsets) {
    throw UsageError(std::string("offsets go with ") + what + " that are one array of bytes");
  } else {
    take_list(source, what);
  }
}

void PatternStrings::strip(const Alphabet& alphabet) {
  if (is_one_ && alphabet.policy() != SymbolPolicy::bytes && looks_like_path(views_[0]))
    refuse_file(what_, std::string(views_[0]));
  for (std::string_view& view : views_) {
    while (!view.empty() && is_blank(view.back()))
      view.remove_suffix(1);
    while (!view.empty() && is_blank(view.front()))
      view.remove_prefix(1);
  }
}

void PatternStrings::refuse_nulls() const {
  for (std::size_t i = 0; i < views_.size(); ++i) {
    if (!is_null(views_[i])) continue;
    throw ArgumentTypeError(std::string(what_) + "[" + std::to_string(i) +
                            "] is null: give str or bytes");
  }
}

void PatternStrings::take_one(nb::handle item, const char* what) {
  Py_ssize_t length = 0;
  const char* letters = nullptr;
  if (PyUnicode_Check(item.ptr()) != 0) {
    letters = PyUnicode_AsUTF8AndSize(item.ptr(), &length);
    if (letters == nullptr) return take_escaped(item, what);
  } else if (PyBytes_Check(item.ptr()) != 0) {
    letters = PyBytes_AS_STRING(item.ptr());
    length = PyBytes_GET_SIZE(item.ptr());
  } else if (is_missing(item)) {
    views_.emplace_back();
    return;
  } else {
    const std::string name = std::string(what) + "[" + std::to_string(views_.size()) + "]";
    if (nb::hasattr(item, "__fspath__")) refuse_file(name.c_str(), nb::str(item).c_str());
    refuse_type(item, name, "give str or bytes");
  }
  views_.emplace_back(letters, static_cast<std::size_t>(length));
}

void PatternStrings::take_escaped(nb::handle item, const char* what) {
  PyErr_Clear();
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(item.ptr(), "utf-8", "surrogateescape"));
  if (!bytes.is_valid()) {
    PyErr_Clear();
    throw UsageError(std::string(what) + "[" + std::to_string(views_.size()) +
                     "] is a str that UTF-8 cannot hold");
  }
  kept_.push_back(std::move(bytes));
  take_one(kept_.back(), what);
}

void PatternStrings::take_list(const nb::object& list, const char* what) {
  if (nb::isinstance<nb::dict>(list)) {
    throw UsageError(std::string(what) +
                     " is a dict, of which only the keys would be taken: give "
                     "its values, as list(d.values())");
  }
  if (PyAnySet_Check(list.ptr()) != 0)
    throw UsageError(std::string(what) + " is a set, which has no order: give a list");
  // A tuple of our own: another thread may change a list while the lock is not held.
  const nb::object own = items_of(list);
  if (!own.is_valid()) {
    refuse_type(list, what, "give a list of str or bytes, or an array");
  }
  kept_.push_back(own);
  const Py_ssize_t size = PyTuple_GET_SIZE(own.ptr());
  views_.reserve(static_cast<std::size_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i)
    take_one(PyTuple_GET_ITEM(own.ptr(), i), what);
}

void PatternStrings::take_arrow_array(const nb::object& capsules, const char* what) {
  kept_.push_back(capsules);
  append_arrow_strings(*pointer_of<ArrowSchema>(capsules[0], "arrow_schema"),
                       *pointer_of<ArrowArray>(capsules[1], "arrow_array"), views_, what);
}

void PatternStrings::take_arrow_stream(const nb::object& capsule, const char* what) {
  ArrowArrayStream& stream = *pointer_of<ArrowArrayStream>(capsule, "arrow_array_stream");
  const auto require = [&](int code) {
    if (code == 0) return;
    const char* const why = stream.get_last_error(&stream);
    throw UsageError(std::string(what) + " cannot be read from its Arrow stream: " +
                     (why == nullptr ? "no reason is given" : why));
  };
  Released<ArrowSchema> schema;
  require(stream.get_schema(&stream, &schema.value));
  for (;;) {
    auto array = std::make_unique<Released<ArrowArray>>();
    require(stream.get_next(&stream, &array->value));
    if (array->value.release == nullptr) break;
    append_arrow_strings(schema.value, array->value, views_, what);
    const nb::capsule owner(array.get(),
                            [](void* p) noexcept { delete static_cast<Released<ArrowArray>*>(p); });
    (void)array.release();
    kept_.push_back(owner);
  }
}

void PatternStrings::take_buffer(const nb::object& offsets, const char* what) {
  const bool has_offsets = !offsets.is_none();
  if (!buffer_.take(kept_[0], PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)) {
    if (has_offsets) refuse_gaps(what);
    return take_items(kept_[0], what);
  }
  const Py_buffer& buffer = *buffer_;
  const char* const letters = buffer.buf == nullptr ? "" : static_cast<const char*>(buffer.buf);
  const bool bytes = is_bytes(buffer);
  if (has_offsets) {
    if (!bytes || buffer.ndim > 1) {
      throw UsageError(std::string("offsets go with ") + what +
                       " that are one array of bytes, with one dimension");
    }
    return take_offsets({letters, static_cast<std::size_t>(buffer.len)}, offsets, what);
  }
  const auto rows = buffer.ndim == 0 ? std::size_t{1} : static_cast<std::size_t>(buffer.shape[0]);
  if (bytes && buffer.ndim == 2) {
    const auto length = static_cast<std::size_t>(buffer.shape[1]);
    views_.reserve(rows);
    for (std::size_t i = 0; i < rows; ++i)
      views_.emplace_back(letters + i * length, length);
  } else if (buffer.ndim > 1) {
    refuse_dimensions(what, buffer.ndim);
  } else if (buffer.ndim == 1 && format_of(buffer).ends_with('s')) {
    const auto length = static_cast<std::size_t>(buffer.itemsize);
    views_.reserve(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::string_view padded(letters + i * length, length);
      views_.push_back(padded.substr(0, padded.find_last_not_of('\0') + 1));
    }
  } else if (buffer.ndim == 1 && has_strings(buffer)) {
    take_list(kept_[0].attr("tolist")(), what);
  } else {
    throw UsageError(
        std::string(what) +
        " is an array of numbers: give offsets with one of uint8, or two dimensions, of "
        "which rows are sequences");
  }
}

/// Takes an array whose memory is not contiguous, or which does not export it.
void PatternStrings::take_items(const nb::object& array, const char* what) {
  HeldBuffer strided;
  if (strided.take(array, PyBUF_FORMAT | PyBUF_STRIDES)) {
    if (!has_strings(*strided) || is_bytes(*strided)) refuse_gaps(what);
    if (strided->ndim != 1) refuse_dimensions(what, strided->ndim);
  }
  take_list(nb::getattr(array, "tolist")(), what);
}

void PatternStrings::take_offsets(std::string_view letters, const nb::object& offsets,
                                  const char* what) {
  const Integers integers(offsets, "offsets");
  const auto at = integers.values();
  if (at.empty()) throw UsageError("offsets are empty: n sequences have n + 1 of them");
  views_.reserve(at.size() - 1);
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    const std::int64_t begin = at[i], end = at[i + 1];
    if (begin < 0 || begin > end || static_cast<std::size_t>(end) > letters.size()) {
      throw UsageError("offsets " + std::to_string(i) + " and " + std::to_string(i + 1) + " are " +
                       std::to_string(begin) + " and " + std::to_string(end) +
                       ": they have to ascend, and to end within the " +
                       std::to_string(letters.size()) + " bytes of " + what);
    }
    views_.push_back(
        letters.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
  }
}

}  // namespace gsx::python

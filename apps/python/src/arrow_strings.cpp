#include "arrow_strings.hpp"

#include <cstring>
#include <string>

#include "gsx/error.hpp"

namespace gsx::python {
namespace {

/// Which strings of an array are there.
class Validity {
 public:
  explicit Validity(const ArrowArray& array)
      : bits_(array.null_count == 0 ? nullptr
                                    : static_cast<const std::uint8_t*>(array.buffers[0])) {}
  bool operator[](std::int64_t i) const {
    return bits_ == nullptr || (bits_[i >> 3] >> (i & 7) & 1) != 0;
  }

 private:
  const std::uint8_t* bits_;
};

template <class Offset>
void append_offsets(const ArrowArray& array, Views& out) {
  const Validity valid(array);
  const auto* const offsets = static_cast<const Offset*>(array.buffers[1]);
  const auto* const letters = static_cast<const char*>(array.buffers[2]);
  for (std::int64_t i = array.offset; i < array.offset + array.length; ++i) {
    const std::size_t length = static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
    if (!valid[i]) {
      out.emplace_back();
    } else if (length == 0) {
      out.emplace_back("");
    } else {
      out.emplace_back(letters + offsets[i], length);
    }
  }
}

/// A string of at most 12 bytes, or where a longer one is.
struct StringView {
  std::int32_t length;
  char prefix[4];
  std::int32_t buffer;
  std::int32_t offset;
};
static_assert(sizeof(StringView) == 16);

void append_views(const ArrowArray& array, Views& out) {
  constexpr std::int32_t most_inline = 12;
  const Validity valid(array);
  const auto* const views = static_cast<const StringView*>(array.buffers[1]);
  for (std::int64_t i = array.offset; i < array.offset + array.length; ++i) {
    const StringView& view = views[i];
    const auto length = static_cast<std::size_t>(view.length);
    if (!valid[i]) {
      out.emplace_back();
    } else if (length == 0) {
      out.emplace_back("");
    } else if (view.length <= most_inline) {
      out.emplace_back(view.prefix, length);
    } else {
      out.emplace_back(static_cast<const char*>(array.buffers[2 + view.buffer]) + view.offset,
                       length);
    }
  }
}

}  // namespace

void append_arrow_strings(const ArrowSchema& schema, const ArrowArray& array, Views& out,
                          const char* what) {
  const std::string_view format = schema.format;
  make_room(out, static_cast<std::size_t>(array.length));
  if (schema.dictionary != nullptr) {
    throw UsageError(std::string(what) + " is a dictionary of Arrow: cast it to strings");
  }
  if (format == "u" || format == "z") {
    append_offsets<std::int32_t>(array, out);
  } else if (format == "U" || format == "Z") {
    append_offsets<std::int64_t>(array, out);
  } else if (format == "vu" || format == "vz") {
    append_views(array, out);
  } else if (format == "n") {  // nulls alone, or an empty column of objects
    out.resize(out.size() + static_cast<std::size_t>(array.length));
  } else if (format == "+s") {
    throw UsageError(std::string(what) + " is a table: give one of its columns");
  } else {
    throw UsageError(std::string(what) + " is an Arrow column of type '" + std::string(format) +
                     "': give strings or binaries");
  }
}

}  // namespace gsx::python

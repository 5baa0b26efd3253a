// Batches of sequences, as Python has them.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "text/alphabet.hpp"
#include "views.hpp"

namespace gsx::python {

/// What a batch of sequences may be; for the signatures of functions.
#define GSX_SEQUENCES                                                                           \
  "str | bytes | collections.abc.Iterable[str | None] | collections.abc.Iterable[bytes | None]" \
  " | numpy.typing.NDArray[typing.Any]"

/// The sequences of an object of Python, where they lie in memory. Keeps the object. The caller
/// holds the lock of the interpreter to make and to destroy it.
class PatternStrings {
 public:
  /// Takes a str or bytes, which is one sequence; an iterable of them; an Arrow array or stream of
  /// strings or binaries; a NumPy array of strings; of uint8 with two dimensions, whose rows are
  /// sequences; or contiguous bytes with `offsets`, sequence i being [offsets[i], offsets[i + 1]).
  /// What is missing (None, NaN, NA, a null of Arrow) is a null. Throws UsageError for anything
  /// else, and ArgumentTypeError for a wrong type; `what` names it.
  /// Cost: nothing per symbol, except for NumPy's str arrays; 16 bytes per sequence.
  PatternStrings(nanobind::object source, const nanobind::object& offsets,
                 const char* what = "patterns");
  PatternStrings(const PatternStrings&) = delete;
  PatternStrings& operator=(const PatternStrings&) = delete;

  /// Leaves out blanks and line ends at both ends of each sequence, as lists have them. Throws
  /// ArgumentTypeError for one str that is the name of a file, unless the alphabet could hold it.
  void strip(const Alphabet& alphabet);

  /// Throws ArgumentTypeError if one is null.
  void refuse_nulls() const;

  const char* what() const { return what_; }
  std::size_t size() const { return views_.size(); }
  std::span<const std::string_view> views() const { return views_; }
  std::span<const std::string_view> some(std::size_t first, std::size_t last) const {
    return views().subspan(first, last - first);
  }

 private:
  void take_one(nanobind::handle item, const char* what);
  /// A str that stands for bytes which are not UTF-8, as Python makes them of file names.
  void take_escaped(nanobind::handle item, const char* what);
  void take_list(const nanobind::object& list, const char* what);
  void take_arrow_array(const nanobind::object& capsules, const char* what);
  void take_arrow_stream(const nanobind::object& capsule, const char* what);
  void take_buffer(const nanobind::object& offsets, const char* what);
  void take_items(const nanobind::object& array, const char* what);
  void take_offsets(std::string_view letters, const nanobind::object& offsets, const char* what);

  const char* what_;
  bool is_one_ = false;  ///< a str or bytes, not a list of them
  std::vector<nanobind::object> kept_;
  HeldBuffer buffer_;
  Views views_;
};

}  // namespace gsx::python

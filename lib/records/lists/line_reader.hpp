// Reads a file of lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "records/formats/byte_source.hpp"

namespace gsx {

/// Gives the lines of a file ("-" is standard input), in any compression, one after another. They
/// end by LF or CR LF, or by CR in a file that has no LF. A byte-order mark is left out.
class LineReader {
 public:
  static constexpr std::size_t longest_line = std::size_t{1} << 16;  ///< bytes

  /// Opens the file. Throws InputError, as every function that reads.
  explicit LineReader(const std::string& path);

  /// What separates the columns of a table: what a first line `sep=;` says, else
  /// separator_of() of the lines that have come. Pre: next() has not been called.
  char separator();
  /// Takes the next line; false at the end of the file. Refuses a line with a NUL byte.
  bool next();
  /// Takes the next line that is neither blank (also between separators) nor a comment nor, first,
  /// `sep=;`; false at the end.
  bool next_entry();
  /// The line, without its end.
  std::string_view line() const { return line_; }
  /// The name of the file, as messages give it.
  const std::string& label() const { return label_; }
  /// The 1-based number of the line.
  std::uint64_t number() const { return number_; }
  /// Throws InputError with the file and the number of the line.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string_view begin();
  std::string_view peek();

  std::string label_;
  ByteSource source_;
  std::uint64_t number_ = 0;
  char line_end_ = '\n';
  bool whole_ = false;  ///< whether begin() has seen the whole file
  std::string line_;
};

}  // namespace gsx

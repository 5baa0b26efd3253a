// Reads a file of lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "seq/byte_source.hpp"

namespace gsx {

/// Gives the lines of a file ("-" is standard input), plain, gzip or BGZF, one after another.
class LineReader {
 public:
  static constexpr std::size_t longest_line = std::size_t{1} << 16;

  /// Opens the file. Throws InputError, as every function that reads.
  explicit LineReader(const std::string& path);

  /// What separates the columns of a table: a tab if every line that has come has one, else a comma
  /// or a semicolon, else a space, which stands for blanks; a tab if none fits. Pre: next() has not
  /// been called.
  char separator();
  /// Takes the next line; false at the end of the file. Refuses a line with a NUL byte.
  bool next();
  /// The line, without its end.
  std::string_view line() const { return line_; }
  /// The name of the file, as messages give it.
  const std::string& label() const { return label_; }
  /// Throws InputError with the file and the number of the line.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string_view peek();

  std::string label_;
  ByteSource source_;
  std::uint64_t number_ = 0;
  std::string line_;
};

/// A part of a line, without blanks before and behind it.
std::string_view without_blanks(std::string_view part);

}  // namespace gsx

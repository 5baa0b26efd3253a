// On which line of its file each symbol of a batch is, for error messages.
#pragma once

#include <cstdint>
#include <vector>

namespace gsx {

/// Consecutive lines of equal width are one entry, so a genome takes an entry for each record and
/// block, not for each line. A map that is not kept costs one test per line.
class LineMap {
 public:
  /// Whether lines are noted from now on.
  void keep(bool lines) { kept_ = lines; }
  void clear();

  /// A line with number `line` begins with the batch's symbol number `symbol`.
  void begin_line(std::uint64_t symbol, std::uint64_t line) { begin_lines(symbol, line, 0, 1); }
  /// The same for `count` lines of `width` symbols each; a width of 0 is still unknown.
  void begin_lines(std::uint64_t symbol, std::uint64_t line, std::uint64_t width,
                   std::uint64_t count) {
    if (kept_ && count != 0) note(symbol, line, width, line + count - 1);
  }
  /// The lines were numbered from `lines` less than their numbers in the file.
  void follow(std::uint64_t lines) { before_ = lines; }

  /// The number of the line in its file, or 0 where no line was noted.
  std::uint64_t line_of(std::uint64_t symbol) const;

 private:
  struct Run {
    std::uint64_t symbol;  ///< with which its first line begins
    std::uint64_t line;
    std::uint64_t width;  ///< symbols of each line but the last, which may have any number
    std::uint64_t last;   ///< line
  };
  void note(std::uint64_t symbol, std::uint64_t line, std::uint64_t width, std::uint64_t last);

  bool kept_ = false;
  std::uint64_t before_ = 0;
  std::vector<Run> runs_;
};

}  // namespace gsx

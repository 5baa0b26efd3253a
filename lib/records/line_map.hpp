// Maps the symbols of a batch to line numbers of the file, for error messages.
#pragma once

#include <cstdint>
#include <vector>

namespace gsx {

/// Consecutive lines of equal width share one entry, so a genome takes one entry per record and
/// block rather than one per line. A map that is switched off costs one test per line.
class LineMap {
 public:
  /// Switches the map on or off.
  void keep(bool lines) { kept_ = lines; }
  void clear();

  /// Line number `line` begins with symbol number `symbol` of the batch.
  void begin_line(std::uint64_t symbol, std::uint64_t line) { begin_lines(symbol, line, 0, 1); }
  /// `count` lines of `width` symbols each begin there, numbered from `line` on; a width of 0 means
  /// unknown.
  void begin_lines(std::uint64_t symbol, std::uint64_t line, std::uint64_t width,
                   std::uint64_t count) {
    if (kept_ && count != 0) note(symbol, line, width, line + count - 1);
  }
  /// Adds `lines` to all line numbers: the parser that noted them began in the middle of the file.
  void follow(std::uint64_t lines) { before_ = lines; }

  /// Forgets the symbols before number `symbol`, which becomes number 0.
  void drop_before(std::uint64_t symbol);

  /// The line number in the file; 0 if no line was noted.
  std::uint64_t line_of(std::uint64_t symbol) const;

 private:
  struct Run {
    std::uint64_t symbol;  ///< the first symbol of its first line
    std::uint64_t line;
    std::uint64_t width;  ///< symbols per line; the last line may have any number
    std::uint64_t last;   ///< number of the last line
  };
  void note(std::uint64_t symbol, std::uint64_t line, std::uint64_t width, std::uint64_t last);

  bool kept_ = false;
  std::uint64_t before_ = 0;
  std::vector<Run> runs_;
};

}  // namespace gsx

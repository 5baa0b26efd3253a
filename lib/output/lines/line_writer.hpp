// Writes lines of text fast.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/text_pieces.hpp"

namespace gsx {

/// Lines on their way into pieces of text. They are written through a bare pointer to a small
/// buffer, which stays in the cache, and passed on many at a time.
class LineWriter {
 public:
  explicit LineWriter(TextPieces& pieces) : pieces_(pieces) {}
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  /// Where to write a line of at most `most` characters.
  char* begin(std::size_t most) {
    if (static_cast<std::size_t>(end_ - at_) < most) make_room(most);
    return at_;
  }
  void end(char* line_end) { at_ = line_end; }
  /// Passes on what has been written; must be the last call.
  void flush() {
    if (at_ == begin_.get()) return;
    pieces_.text().append(begin_.get(), at_);
    at_ = begin_.get();
    pieces_.check();
  }

 private:
  static constexpr std::size_t usual_bytes = std::size_t{16} << 10;

  void make_room(std::size_t most) {
    if (begin_) flush();
    if (begin_ && static_cast<std::size_t>(end_ - at_) >= most) return;
    const std::size_t bytes = most < usual_bytes ? usual_bytes : most;
    begin_ = std::make_unique_for_overwrite<char[]>(bytes);
    at_ = begin_.get();
    end_ = at_ + bytes;
  }

  TextPieces& pieces_;
  std::unique_ptr<char[]> begin_;
  char* at_ = nullptr;
  char* end_ = nullptr;
};

inline char* put_text(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

}  // namespace gsx

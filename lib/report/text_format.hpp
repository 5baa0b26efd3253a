// Formats numbers and names as parts of a line.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace gsx {

inline void append_number(std::string& out, std::uint64_t value) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

/// Joins numbers, characters and fixed words in a buffer, and adds them to the text in one piece.
/// Pre: at most 10 numbers and 64 other characters between two calls of end().
class Columns {
 public:
  explicit Columns(std::string& out) : out_(out) {}
  Columns& operator<<(std::uint64_t value) {
    at_ = std::to_chars(at_, line_ + sizeof line_, value).ptr;
    return *this;
  }
  Columns& operator<<(char c) {
    *at_++ = c;
    return *this;
  }
  Columns& operator<<(std::string_view word) {
    at_ += word.copy(at_, word.size());
    return *this;
  }
  void end() {
    out_.append(line_, at_);
    at_ = line_;
  }

 private:
  std::string& out_;
  char line_[10 * 20 + 64];
  char* at_ = line_;
};

/// Appends a name as one column. Control bytes become \xHH, so that a hostile name can neither
/// break a line nor steer a terminal. In such a name, and in one that looks escaped, backslashes
/// are doubled. An empty name becomes '.', and the name "." becomes \x2E. So no two names are
/// written alike.
void append_name(std::string& out, std::string_view name);

/// Does the same for the first column of a BED line. Programs that read BED skip lines as headers
/// that begin with '#', '>' or '!', with track, browser or visibility, or with chrom and a tab, in
/// any case. So the first byte of such a name is written as \xHH.
void append_bed_target(std::string& out, std::string_view name);

/// Appends a JSON string with quotes. Takes bytes that are not UTF-8 as Latin-1.
void append_json_string(std::string& out, std::string_view text);

}  // namespace gsx

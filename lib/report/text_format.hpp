// Numbers and names as bytes of a line.
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

/// Columns of numbers, characters and fixed words, put together beside the text, to which they are
/// added in one piece. Pre: at most 10 numbers and 64 other characters between two calls of end().
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

/// A name as one column: control bytes are written as \xHH, so that a hostile name can neither
/// break a line nor reach a terminal, and its backslashes are doubled, as are those of a name that
/// looks like an escaped one. An empty name is '.', and the name "." is \x2E. So no two names are
/// written alike.
void append_name(std::string& out, std::string_view name);

/// The same for the first column of a BED line. Lines that begin with '#', '>' or '!', with track,
/// browser or visibility, or with chrom and a tab, in any case, are headers to programs that read
/// BED, and are passed over: the first byte of such a name is written as \xHH.
void append_bed_target(std::string& out, std::string_view name);

/// A JSON string with its quotes; bytes that are not UTF-8 are taken as Latin-1.
void append_json_string(std::string& out, std::string_view text);

}  // namespace gsx

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

/// A name as one column: control bytes are written as \xHH, so that a hostile name can neither
/// break a line nor reach a terminal; an empty name is '.'.
void append_name(std::string& out, std::string_view name);

/// A JSON string with its quotes; bytes that are not UTF-8 are taken as Latin-1.
void append_json_string(std::string& out, std::string_view text);

}  // namespace gsx

#include "output/lines/text_format.hpp"

#include <algorithm>
#include <cstdio>

#include "base/utf8.hpp"
#include "records/symbol_scan.hpp"

namespace gsx {
namespace {

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

/// Whether a byte could break a line, steer a terminal, or look like an escape.
constexpr auto needs_a_look = [](auto b) { return (b < 0x20) | (b == 0x7f) | (b == '\\'); };

/// Whether a name without control bytes looks like an escaped one.
bool looks_escaped(std::string_view name) {
  return name.find("\\x") != name.npos || name.find("\\\\") != name.npos;
}

void append_hex(std::string& out, char c) {
  constexpr const char* digits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

/// Writes control bytes as \xHH and doubles backslashes. Leaves other bytes, whatever they encode.
void append_escaped(std::string& out, std::string_view name) {
  for (const char c : name) {
    if (c == '\\') {
      out += "\\\\";
    } else if (is_control(c)) {
      append_hex(out, c);
    } else {
      out += c;
    }
  }
}

bool begins_with(std::string_view name, std::string_view lower_case) {
  return name.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), name.begin(), [](char lower, char c) {
           return lower == (c >= 'A' && c <= 'Z' ? c + 32 : c);
         });
}

bool looks_like_bed_header(std::string_view name) {
  if (name.empty()) return false;
  switch (name.front()) {
    case '#':
    case '>':
    case '!':
      return true;
    case 't':
    case 'T':
      return begins_with(name, "track");
    case 'b':
    case 'B':
      return begins_with(name, "browser");
    case 'v':
    case 'V':
      return begins_with(name, "visibility");
    case 'c':
    case 'C':
      return name.size() == 5 && begins_with(name, "chrom");
    default:
      return false;
  }
}

}  // namespace

void append_name(std::string& out, std::string_view name) {
  if (name.empty()) {
    out += '.';
  } else if (name == ".") {
    append_hex(out, '.');
  } else if (!scan_detail::any_byte(name, needs_a_look) ||
             (!has_control(name) && !looks_escaped(name))) {
    out += name;
  } else {
    append_escaped(out, name);
  }
}

bool are_plain_names(std::string_view text) {
  return !scan_detail::any_byte(text, needs_a_look);
}

void append_bed_target(std::string& out, std::string_view name) {
  if (!looks_like_bed_header(name)) return append_name(out, name);
  append_hex(out, name.front());
  append_escaped(out, name.substr(1));
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text[0];
    if (length == 0) {
      const auto byte = static_cast<unsigned char>(c);
      out += static_cast<char>(0xC0 | byte >> 6);
      out += static_cast<char>(0x80 | (byte & 0x3F));
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (is_control(c)) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned char>(c));
      out += escaped;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  out += '"';
}

}  // namespace gsx

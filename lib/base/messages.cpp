#include "base/messages.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"
#include "base/utf8.hpp"

namespace gsx {
namespace {

void append_hex(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    char hex[8];
    std::snprintf(hex, sizeof hex, "\\x%02X", static_cast<unsigned char>(c));
    out += hex;
  }
}

}  // namespace

void throw_system_error(const std::string& action, const std::string& path, int number) {
  const std::string what =
      "cannot " + action + " '" + printable(path) + "': " + std::strerror(number);
  switch (number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case ENOMEM:
      throw ResourceError(what);
    case EMFILE:
    case ENFILE:
      throw ResourceError(what + "; raise the limit (ulimit -n)");
    default:
      throw RuntimeError(what);
  }
}

void require_path(std::string_view path) {
  if (path.find('\0') == std::string_view::npos) return;
  throw UsageError("the path '" + shown_name(path) + "' holds a NUL byte, which no path can");
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
    const auto byte = static_cast<unsigned char>(text[0]);
    text.remove_prefix(character.size());
    if (byte == '\\') {
      out += "\\\\";
    } else if (byte < 0x20 || byte == 0x7f || length == 0 || is_utf8_control(character)) {
      append_hex(out, character);
    } else {
      out += character;
    }
  }
  return out;
}

std::string counted(std::uint64_t number, const char* one, const char* many) {
  return std::to_string(number) + ' ' + (number == 1 ? one : many);
}

std::string shown_name(std::string_view name) {
  constexpr std::size_t most = 200;
  if (name.size() <= most) return printable(name);
  return printable(name.substr(0, most)) + "... (" + std::to_string(name.size()) + " bytes)";
}

}  // namespace gsx

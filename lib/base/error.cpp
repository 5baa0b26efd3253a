#include "base/error.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace gsx {

void throw_system_error(const std::string& action, const std::string& path, int number) {
  const std::string what =
      "cannot " + action + " '" + printable(path) + "': " + std::strerror(number);
  switch (number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case ENOMEM:
      throw ResourceError(what);
    default:
      throw RuntimeError(what);
  }
}

std::string printable(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == '\\') {
      out += "\\\\";
    } else if (byte < 0x20 || byte == 0x7f) {
      char hex[8];
      std::snprintf(hex, sizeof hex, "\\x%02X", byte);
      out += hex;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace gsx

#include "outputs/whole_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx::app {

std::string shown_file(const std::string& path) {
  return path == "-" ? "standard input" : "'" + printable(path) + "'";
}

WholeFile read_whole(const std::string& path, const char* what, const SizeLimit& limit) {
  const std::string shown = shown_file(path);
  std::error_code error;
  if (path != "-" && std::filesystem::is_directory(path, error)) {
    throw InputError("cannot read " + shown + ": it is a directory");
  }
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& in = path == "-" ? std::cin : file;
  const std::uint64_t expected = path == "-" ? 0 : std::filesystem::file_size(path, error);
  constexpr std::uint64_t piece = std::uint64_t{1} << 20;
  const std::string reading = std::string("reading ") + what;
  require_memory(limit, reading, error ? 0 : expected);
  // One byte more, so that the end of the file shows without a larger buffer.
  WholeFile content{{error || expected == 0 ? piece : expected + 1, what}};
  while (in) {
    if (content.size == content.buffer.size()) {
      require_memory(limit, reading, 2 * content.size);
      Buffer<std::uint8_t> larger(2 * content.size, what);
      std::memcpy(larger.data(), content.buffer.data(), content.size);
      content.buffer = std::move(larger);
    }
    const std::uint64_t room = std::min(piece, content.buffer.size() - content.size);
    in.read(reinterpret_cast<char*>(content.buffer.data()) + content.size,
            static_cast<std::streamsize>(room));
    content.size += static_cast<std::uint64_t>(in.gcount());
  }
  if (!in.eof() || in.bad()) {
    throw InputError("cannot read " + shown + ": " + std::strerror(errno));
  }
  if (content.size == 0) throw InputError(shown + " is empty: not " + what);
  return content;
}

}  // namespace gsx::app

#include "process/input_bytes.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "bytes/file_kind.hpp"

namespace gsx::app {
namespace {

bool is_gzip(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return file.get() == 0x1F && file.get() == 0x8B;
}

bool is_text_or_gzip(const std::string& path) {
  const int first = std::ifstream(path, std::ios::binary).get();
  return first == '>' || first == '@' || is_gzip(path);
}

/// None unless it is a regular file.
std::optional<std::uint64_t> size_of(const std::string& file) {
  struct stat status {};
  if (file == "-" || stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

std::uint64_t bytes_of_files(const std::vector<std::string>& files) {
  std::uint64_t bytes = 0;
  for (const std::string& file : files) {
    const auto size = size_of(file);
    if (!size) return 0;
    bytes += *size;
  }
  return bytes;
}

std::optional<std::uint64_t> inflated_bytes(const std::vector<std::string>& files) {
  std::uint64_t bytes = 0;
  for (const std::string& file : files) {
    const auto size = size_of(file);
    if (!size) return {};
    bytes += is_gzip(file) ? *size * usual_expansion : *size;
  }
  return bytes;
}

std::optional<std::uint64_t> symbols_in(const std::vector<std::string>& files) {
  const auto bytes = inflated_bytes(files);  // of a pipe, no byte may be taken here
  if (files.empty() || !bytes || !std::ranges::all_of(files, is_text_or_gzip)) return {};
  return bytes;
}

}  // namespace gsx::app

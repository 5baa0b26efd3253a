#include "device_choice.hpp"

#include <sys/stat.h>

#include <fstream>

namespace gsx::app {
namespace {

/// How much more a gzip file of reads holds than it takes on the disk, at most about.
constexpr std::uint64_t gzip_ratio = 6;

/// What one thread searches while a GPU starts, and while it takes an index: a GPU (H100) takes 0.4
/// s and 0.3 s a gigabyte of index, a thread 80 MB of FASTQ a second.
constexpr std::uint64_t bytes_before_start = std::uint64_t{32} << 20;
constexpr std::uint64_t index_bytes_a_byte = 40;

bool is_gzip(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return file.get() == 0x1F && file.get() == 0x8B;
}

}  // namespace

bool is_few_queries(const std::vector<std::string>& files, std::uint64_t index_bytes, int threads) {
  const std::uint64_t few =
      static_cast<std::uint64_t>(threads) * (bytes_before_start + index_bytes / index_bytes_a_byte);
  std::uint64_t bytes = 0;
  for (const std::string& file : files) {
    struct stat status {};
    if (file == "-" || stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
    const auto size = static_cast<std::uint64_t>(status.st_size);
    bytes += is_gzip(file) ? size * gzip_ratio : size;
    if (bytes > few) return false;
  }
  return true;
}

std::uint64_t bytes_of_files(const std::vector<std::string>& files) {
  std::uint64_t bytes = 0;
  for (const std::string& file : files) {
    struct stat status {};
    if (file == "-" || stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    bytes += static_cast<std::uint64_t>(status.st_size);
  }
  return bytes;
}

}  // namespace gsx::app

#include "process/device_choice.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "device/registry.hpp"

namespace gsx::app {
namespace {

/// A gzip file of reads usually expands to at most this many times its size.
constexpr std::uint64_t gzip_ratio = 6;

/// Bytes that one thread searches while a GPU starts and loads an index. An H100 takes 0.4 s to
/// start and 0.3 s per gigabyte of index; a thread searches 80 MB of FASTQ per second.
constexpr std::uint64_t bytes_before_start = std::uint64_t{32} << 20;
constexpr std::uint64_t index_bytes_per_byte = 40;

/// A thread compares a query with a base in at most about this many seconds.
constexpr double seconds_per_comparison = 1e-10;
constexpr double start_seconds = 0.4, seconds_per_index_byte = 0.3e-9;
/// A thread finds the pairs of sequences of so many bytes, beside what a GPU leaves to it.
constexpr double seconds_per_pair_byte = 20e-9;
/// A thread takes so much longer to find which of a large set of sequences a query begins with than
/// to pack it for a GPU. The tables of a small set are in its cache, so that a GPU saves nothing.
constexpr double seconds_per_prefix = 40e-9;
constexpr std::uint64_t small_prefix_tables = std::uint64_t{8} << 20;
/// Bytes of a file per query that begins with a barcode, usually at least: those of a read.
constexpr double read_bytes = 200;
/// Bytes of a file that a query takes, at least; a longer one is searched by its seeds, which takes
/// less.
constexpr double query_bytes = 24;

/// The driver alone took 120 MB beside an H100; what a build copies through comes on top.
constexpr std::uint64_t least_host_bytes = 512'000'000;

bool is_gzip(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return file.get() == 0x1F && file.get() == 0x8B;
}

bool is_text_or_gzip(const std::string& path) {
  const int first = std::ifstream(path, std::ios::binary).get();
  return first == '>' || first == '@' || is_gzip(path);
}

/// Bytes of all files together when inflated, about; none if the size of one is not known.
std::optional<std::uint64_t> inflated_bytes(const std::vector<std::string>& files) {
  std::uint64_t bytes = 0;
  for (const std::string& file : files) {
    struct stat status {};
    if (file == "-" || stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    const auto size = static_cast<std::uint64_t>(status.st_size);
    bytes += is_gzip(file) ? size * gzip_ratio : size;
  }
  return bytes;
}

}  // namespace

bool is_few_queries(const std::vector<std::string>& files, std::uint64_t index_bytes, int threads) {
  const auto bytes = inflated_bytes(files);
  return bytes && *bytes <= static_cast<std::uint64_t>(threads) *
                                (bytes_before_start + index_bytes / index_bytes_per_byte);
}

bool is_few_with_mismatches(std::size_t patterns, const std::vector<std::string>& files,
                            std::uint64_t bases, std::uint64_t index_bytes, int threads) {
  const auto bytes = inflated_bytes(files);
  if (!bytes) return false;
  const double queries = static_cast<double>(patterns) + static_cast<double>(*bytes) / query_bytes;
  const double comparing = static_cast<double>(bases) * queries * seconds_per_comparison;
  return comparing / threads <=
         start_seconds + static_cast<double>(index_bytes) * seconds_per_index_byte;
}

bool is_few_for_pairs(const std::vector<std::string>& files, int threads) {
  const auto bytes = inflated_bytes(files);
  return bytes && static_cast<double>(*bytes) * seconds_per_pair_byte / threads <= start_seconds;
}

bool is_few_for_prefixes(const std::vector<std::string>& files, std::uint64_t table_bytes,
                         int threads) {
  if (table_bytes <= small_prefix_tables) return true;
  const auto bytes = inflated_bytes(files);
  if (!bytes) return false;
  const double queries = static_cast<double>(*bytes) / read_bytes;
  return queries * seconds_per_prefix / threads <= start_seconds;
}

bool is_few_symbols(const std::vector<std::string>& files) {
  const auto bytes = inflated_bytes(files);
  return !files.empty() && bytes && *bytes <= few_symbols &&
         std::ranges::all_of(files, is_text_or_gzip);
}

bool is_too_little_for_driver(std::uint64_t host_bytes) {
  return host_bytes < least_host_bytes;
}

bool may_start_gpu(const std::string& device) {
  if (device != "auto") return device != "cpu";
  return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
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

// Disk space for data that does not fit in memory.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace gsx {

/// Where to create temporary files.
struct ScratchPlace {
  std::string path = "/tmp";
  std::string set_by = {};  ///< the setting that chooses it, for error messages; may be empty
};

/// An unnamed file, so that nothing is left of it however the process ends. Regions are reserved
/// one after another, and may be written and read in any order. Any number of threads may use it.
class ScratchFile {
 public:
  explicit ScratchFile(ScratchPlace place) : place_(std::move(place)) {}
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// Reserves `bytes` and returns the offset of the first. The first call creates the file. Throws
  /// RuntimeError that names the folder.
  std::uint64_t reserve(std::uint64_t bytes);
  /// Throws ResourceError if the disk is full, else RuntimeError; both name the folder.
  void write(std::uint64_t offset, std::string_view bytes);
  void read(std::uint64_t offset, char* bytes, std::uint64_t count) const;
  bool exists() const { return fd_ >= 0; }

 private:
  void open();
  [[noreturn]] void fail(const std::string& action, int number) const;

  std::mutex mutex_;
  ScratchPlace place_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace gsx

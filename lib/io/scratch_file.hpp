// Room on a disk for what memory does not hold.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace gsx {

/// Where temporary files are made.
struct ScratchPlace {
  std::string path = "/tmp";
  std::string set_by =
      {};  ///< what the user may set to choose another, as errors name it; or empty
};

/// A file without a name, so that nothing is left of it however the process ends. Pieces are
/// written behind one another and read at any place. Any number of threads may call.
class ScratchFile {
 public:
  explicit ScratchFile(ScratchPlace place) : place_(std::move(place)) {}
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// Sets `bytes` aside and returns the offset of the first. The first call makes the file.
  /// Throws RuntimeError that names the folder.
  std::uint64_t reserve(std::uint64_t bytes);
  /// Throws ResourceError for a full disk, else RuntimeError; both name the folder.
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

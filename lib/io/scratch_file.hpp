// Room on a disk for what memory does not hold.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace gsx {

/// $TMPDIR, or /tmp if that is not set.
std::string temporary_folder();

/// A file without a name in $TMPDIR (/tmp if that is not set), so that nothing is left of it
/// however the process ends. Pieces are written behind one another and read at any place. Any
/// number of threads may call.
class ScratchFile {
 public:
  ScratchFile() = default;
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// Sets `bytes` aside and returns the offset of the first. The first call makes the file.
  /// Throws RuntimeError that names TMPDIR.
  std::uint64_t reserve(std::uint64_t bytes);
  /// Throws ResourceError for a full disk, else RuntimeError; both name TMPDIR.
  void write(std::uint64_t offset, std::string_view bytes);
  void read(std::uint64_t offset, char* bytes, std::uint64_t count) const;
  bool exists() const { return fd_ >= 0; }

 private:
  void open();
  [[noreturn]] void fail(const std::string& action, int number) const;

  std::mutex mutex_;
  std::string folder_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace gsx

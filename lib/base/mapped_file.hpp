// A file as read-only memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace gsx {

/// Owns a private, read-only mapping of a regular file; moves only.
class MappedFile {
 public:
  MappedFile() = default;
  /// Throws RuntimeError (or ResourceError) with the system's reason; an empty file maps to an
  /// empty span. Throws RuntimeError for anything that is not a regular file.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::uint8_t> bytes() const { return {data_, size_}; }

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gsx

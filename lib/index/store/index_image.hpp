// The bytes of an index, either in memory or mapped from a file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "base/buffer.hpp"
#include "base/export.hpp"
#include "bytes/mapped_file.hpp"

namespace gsx {

/// Owns the bytes of one index, laid out as in index/store/format.hpp. It can only be moved; the
/// bytes do not move with it.
class GSX_API IndexImage {
 public:
  IndexImage() = default;
  explicit IndexImage(Buffer<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
  explicit IndexImage(MappedFile file) : bytes_(std::move(file)) {}

  /// Copies a regular file into memory. Throws RuntimeError if the file cannot be read or becomes
  /// shorter meanwhile, ResourceError if memory is short.
  static IndexImage read(const std::string& path);

  std::span<const std::uint8_t> bytes() const;
  /// The file that the bytes are mapped from; null if they are in memory.
  const MappedFile* file() const { return std::get_if<MappedFile>(&bytes_); }

 private:
  std::variant<Buffer<std::uint8_t>, MappedFile> bytes_;
};

}  // namespace gsx

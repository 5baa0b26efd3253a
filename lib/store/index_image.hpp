// The bytes of an index, in memory of their own or mapped from a file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "base/buffer.hpp"
#include "base/export.hpp"
#include "io/mapped_file.hpp"

namespace gsx {

/// Owner of the bytes of one index, as store/format.hpp lays them out; moves only. The bytes do not
/// move when the image does.
class GSX_API IndexImage {
 public:
  IndexImage() = default;
  explicit IndexImage(Buffer<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
  explicit IndexImage(MappedFile file) : bytes_(std::move(file)) {}

  /// Copies a regular file into memory. Throws RuntimeError for a file that cannot be read or that
  /// becomes shorter meanwhile, ResourceError when there is no memory for it.
  static IndexImage read(const std::string& path);

  std::span<const std::uint8_t> bytes() const;
  /// The file that the bytes are mapped from; null when they are in memory of their own.
  const MappedFile* file() const { return std::get_if<MappedFile>(&bytes_); }

 private:
  std::variant<Buffer<std::uint8_t>, MappedFile> bytes_;
};

}  // namespace gsx

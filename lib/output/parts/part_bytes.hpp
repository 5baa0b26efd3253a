// Reads the stream of a partial result out of its frames.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "output/parts/part_source.hpp"

namespace gsx {

/// Gives bytes whose checksums are right. Holds a frame. Throws InputError for a file that is
/// damaged, cut or of another version, as every function that reads.
class PartBytes {
 public:
  /// Pre: source.is_part_file().
  explicit PartBytes(PartSource source);

  std::uint8_t byte() {
    if (at_ == content_.size()) read_frame();
    return static_cast<std::uint8_t>(content_[at_++]);
  }
  std::uint64_t varint();
  /// A number of so many bytes.
  std::uint64_t number(int bytes);
  /// Replaces `text` with the next `size` bytes.
  void read(std::uint64_t size, std::string& text);
  /// Takes a text of at most so many bytes.
  std::string text(std::uint64_t most = ~std::uint64_t{0});
  /// Throws unless the stream and the file end here.
  void require_end();

  const std::string& label() const { return source_.label; }
  /// Throws InputError that names the file.
  [[noreturn]] void fail(const std::string& what) const;
  /// Throws InputError that names the file, and says that gsx does not write such bytes.
  [[noreturn]] void fail_damaged(const std::string& what) const;

 private:
  void read_frame();
  void read_bytes(std::size_t size, std::string& bytes);

  PartSource source_;
  std::string content_;
  std::size_t at_ = 0;
  std::uint64_t frames_ = 0;
  bool ended_ = false;  ///< whether content_ is that of the last frame
};

}  // namespace gsx

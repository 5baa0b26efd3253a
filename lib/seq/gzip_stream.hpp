// Inflates gzip members, one after another.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string_view>

struct hFILE;

namespace gsx {

class GzipStream {
 public:
  /// Pre: `file` is at the start of a gzip member and outlives the stream.
  explicit GzipStream(hFILE& file);
  ~GzipStream();
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  /// The next bytes, valid until the next call; empty at the end. Throws SourceError.
  std::string_view next();
  /// Compressed bytes that the stream has read so far.
  std::uint64_t position() const { return read_; }

 private:
  bool begin_member();
  void fill();

  hFILE& file_;
  z_stream state_{};
  std::unique_ptr<unsigned char[]> packed_;
  std::unique_ptr<char[]> plain_;
  std::uint64_t read_ = 0;
  bool inside_ = true;  ///< whether a member is being inflated
};

}  // namespace gsx

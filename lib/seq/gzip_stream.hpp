// The inflated bytes of gzip members, one after another.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string_view>

struct hFILE;

namespace gsx {

class GzipStream {
 public:
  /// Pre: a gzip member begins where the file is; it must outlive the stream.
  explicit GzipStream(hFILE& file);
  ~GzipStream();
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  /// The next bytes, valid until the next call; empty at the end. Throws SourceError.
  std::string_view next();
  /// Compressed bytes read so far, from where the stream began.
  std::uint64_t position() const { return read_; }

 private:
  bool begin_member();
  void fill();

  hFILE& file_;
  z_stream state_{};
  std::unique_ptr<unsigned char[]> packed_;
  std::unique_ptr<char[]> plain_;
  std::uint64_t read_ = 0;
  bool inside_ = true;  ///< a member
};

}  // namespace gsx

// The decompressed bytes of one file, block by block, through htslib.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct BGZF;
struct hFILE;

namespace gsx {

/// The bytes cannot be read on. what() says why and what to do, without the place, which only the
/// reader of the records knows.
struct SourceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An open file, FIFO or standard input. gzip (any number of members) and BGZF are recognised by
/// content and inflated; anything else is delivered as it is.
class ByteSource {
 public:
  /// Opens `path` ("-" is standard input); it is always a local path, never a URL. BGZF is inflated
  /// by `threads` threads when that is more than one. May block until a FIFO has a writer.
  /// Throws SourceError when it cannot be opened or read, or is a directory.
  ByteSource(const std::string& path, int threads);
  ~ByteSource();

  /// The next bytes, valid until the next call; empty at the end and not to be called after it.
  /// A copy-free view of an inflated block (at most 64 KiB), or up to 256 KiB of a plain file.
  /// Throws SourceError for an I/O error and for compressed data that is damaged or cut short.
  std::string_view next_block();

  /// Bytes taken from the file itself, so compressed ones where it is compressed.
  std::uint64_t position() const { return position_; }

 private:
  struct Close {
    void operator()(hFILE* file) const;
    void operator()(BGZF* file) const;
  };

  void open_compressed(int threads);
  std::string_view next_plain();
  std::string_view next_inflated();

  std::unique_ptr<hFILE, Close> plain_;  ///< empty once compressed_ owns the handle
  std::unique_ptr<BGZF, Close> compressed_;
  std::unique_ptr<char[]> buffer_;  ///< of a plain file
  std::uint64_t position_ = 0;
};

}  // namespace gsx

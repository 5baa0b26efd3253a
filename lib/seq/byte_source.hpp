// The decompressed bytes of one file, through htslib.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "seq/bgzf_blocks.hpp"
#include "seq/gzip_stream.hpp"
#include "seq/source_error.hpp"

struct hFILE;

namespace gsx {

/// An open file, FIFO or standard input. gzip (any number of members) and BGZF are recognised by
/// content and inflated; anything else is delivered as it is.
class ByteSource {
 public:
  /// Opens `path` ("-" is standard input); it is always a local path, never a URL. Of BGZF enough
  /// is read ahead for `threads` threads to inflate, which may help(); `on_more`, if any, is called
  /// when there is more of that. May block until a FIFO has a writer.
  /// Throws SourceError when it cannot be opened or read, or is a directory.
  ByteSource(const std::string& path, int threads, std::function<void()> on_more = {});
  ~ByteSource();

  /// The bytes that are at hand, read first when there are none; empty at the end. Valid until the
  /// next call. Throws SourceError for an I/O error and for compressed data that is damaged or cut
  /// short.
  std::string_view peek();
  /// Passes over bytes of peek().
  void skip(std::size_t count) { ahead_.remove_prefix(count); }
  /// Takes up to `count` bytes; fewer than that, and none only at the end. Throws as peek() does.
  std::size_t read(char* to, std::size_t count);

  /// Inflates some of what will be taken; false when nothing waits for that. Any thread.
  bool help() const { return bgzf_ && bgzf_->help(); }
  bool wants_help() const { return bgzf_ && bgzf_->wants_help(); }

  /// Bytes taken from the file itself, so compressed ones where it is compressed.
  std::uint64_t position() const { return position_; }

  /// Bytes of a regular file that is not compressed, from where it was opened (standard input may
  /// be open in the middle of a file); 0 for everything else.
  std::uint64_t plain_size() const { return plain_size_; }
  /// Reads `count` bytes of that file at `offset`; any thread, and without moving the source.
  /// Throws SourceError, also when the file has become shorter.
  void read_at(std::uint64_t offset, char* to, std::size_t count) const;

 private:
  struct Close {
    void operator()(hFILE* file) const;
  };

  void note_plain_file(std::int64_t begin);
  bool is_compressed() const { return bgzf_ || gzip_; }
  std::size_t read_plain(char* to, std::size_t count);
  std::string_view next_inflated();

  int descriptor_;                       ///< belongs to the handle
  std::unique_ptr<hFILE, Close> plain_;  ///< of the bytes as they are in the file
  std::unique_ptr<BgzfBlocks> bgzf_;
  std::unique_ptr<GzipStream> gzip_;  ///< alone, or of what follows the blocks of BGZF
  std::unique_ptr<char[]> buffer_;    ///< for peek() of what is not compressed
  std::string_view ahead_;            ///< read and not taken
  std::uint64_t position_ = 0;
  std::uint64_t plain_begin_ = 0;
  std::uint64_t plain_size_ = 0;
};

}  // namespace gsx

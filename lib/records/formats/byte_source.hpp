// The decompressed bytes of one file.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "bytes/byte_stream.hpp"
#include "bytes/compression/bgzf_blocks.hpp"
#include "bytes/file_kind.hpp"
#include "bytes/source_error.hpp"
#include "records/decoding.hpp"

struct hFILE;
struct stat;

namespace gsx {

/// An open file, FIFO or standard input. Recognises gzip, bzip2, xz and zstd (any number of
/// members) and BGZF by content and decompresses them; if asked to, makes text of binary files of
/// sequences. Gives everything else unchanged.
class ByteSource {
 public:
  /// Opens `path` ("-" is standard input). It is always a local path, never a URL. Of a BGZF file,
  /// it reads what takes about `ahead` bytes ahead, which other threads may inflate by help();
  /// `on_more`, if any, is called when there is more to inflate. May block until a FIFO has a
  /// writer. Throws SourceError if the file is a directory, or cannot be opened or read. The log
  /// warns of BGZF without its end, if `decoding` allows that.
  explicit ByteSource(const std::string& path, std::size_t ahead = 0,
                      std::function<void()> on_more = {}, const Decoding& decoding = {});
  ~ByteSource();

  /// The kind of a regular file by its first bytes; plain for any other path. Does not block.
  /// Throws SourceError if the file cannot be read.
  static FileKind kind_of_file(const std::string& path);

  /// The bytes read and not yet taken; reads more if there are none. Empty at the end; valid until
  /// the next call. Throws SourceError for I/O errors and for compressed data that is damaged or
  /// truncated.
  std::string_view peek();
  /// As peek(), but up to `most` bytes or more: all that come until the file ends, an error
  /// follows, or the writer of a pipe pauses and `is_enough` says that these tell what is to be
  /// known. They stay, and peek() gives them next. `whole` says whether the file ends with them.
  std::string_view peek_start(std::size_t most,
                              const std::function<bool(std::string_view)>& is_enough, bool& whole);
  /// Takes `count` bytes of peek().
  void skip(std::size_t count) { ahead_.remove_prefix(count); }
  /// Takes up to `count` bytes. It may give fewer; it gives none only at the end. Throws as peek().
  std::size_t read(char* to, std::size_t count);

  /// Whether the writer of a plain pipe pauses: nothing has come for a while, and the pipe is open.
  /// Of anything else, it is always false.
  bool pauses() const;

  /// Inflates some of the data read ahead; false if none waits for that. Any thread may call it.
  bool help() const { return bgzf_ && bgzf_->help(); }
  bool wants_help() const { return bgzf_ && bgzf_->wants_help(); }

  /// Bytes taken from the file itself: compressed bytes if it is compressed.
  std::uint64_t position() const { return position_; }

  /// Whether the bytes are text that was made of a file in another format.
  bool is_made() const { return made_; }
  /// What the file is compressed by: "gzip", "bzip2", "xz" or "zstd"; null if it is not.
  const char* packing() const { return packing_; }
  /// Whether each piece of the file has been checked before its bytes come out.
  bool is_checked() const { return bgzf_ != nullptr; }
  /// Whether the file is a regular one.
  bool is_regular() const { return regular_; }
  /// Size in bytes of a plain regular file, from the offset at which it was opened: standard input
  /// may start in the middle of a file. 0 for compressed files and for all that is not a regular
  /// file.
  std::uint64_t plain_size() const { return plain_size_; }
  /// Reads `count` bytes of a plain file at `offset`, without moving the source. Any thread may
  /// call it. Throws SourceError, also if the file has become shorter.
  void read_at(std::uint64_t offset, char* to, std::size_t count) const;

 private:
  struct Close {
    void operator()(hFILE* file) const;
  };

  FileKind begin_unpacking(const std::string& path, std::size_t ahead,
                           std::function<void()> on_more, const Decoding& decoding);
  void begin_making(FileKind kind, std::int64_t begin, const struct stat& info,
                    const Decoding& decoding);
  void note_plain_file(std::int64_t begin, const struct stat& info);
  std::size_t read_into(char* to, std::size_t count);
  std::size_t buffered() const;
  std::size_t read_stream(char* to, std::size_t count);

  int descriptor_;                       ///< owned by plain_
  std::unique_ptr<hFILE, Close> plain_;  ///< reads the file as it is; null if stream_ has taken it
  std::unique_ptr<BgzfBlocks> bgzf_;
  std::unique_ptr<ByteStream> stream_;  ///< of all that is decoded, also gzip after BGZF blocks
  std::unique_ptr<char[]> buffer_;      ///< for peek(), except of BGZF blocks
  std::string_view ahead_;              ///< read and not yet taken
  std::string start_;                   ///< of peek_start()
  std::exception_ptr failure_;          ///< what follows that
  std::uint64_t position_ = 0;
  std::uint64_t plain_begin_ = 0;
  std::uint64_t plain_size_ = 0;
  const char* packing_ = nullptr;
  bool regular_ = false;
  bool made_ = false;
  bool plain_stream_ = false;  ///< whether it is neither regular nor compressed
};

}  // namespace gsx

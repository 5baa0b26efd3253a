// Checked output: a run succeeds only if every byte was written, flushed and closed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/export.hpp"
#include "bytes/compression/bgzf_encoder.hpp"
#include "bytes/temporary_file.hpp"

namespace gsx {

/// How an output stores its bytes.
enum class Encoding : std::uint8_t { plain, bgzf };

/// The encoding that the name of an output asks for: BGZF if it ends in .gz or .bgz.
Encoding encoding_for(std::string_view path);

class Output;

/// Completes several outputs of a run, of which null ones are left out: what may fail comes before
/// the first gets its name, and a signal in between waits until all have theirs (for a second at
/// most, see SignalsHeld). They get them in this order.
GSX_API void commit_all(std::span<Output* const> outputs);

/// A destination of bytes: a file that appears under its name only when it is complete, or a stream
/// (a FIFO, a device) or open descriptor that is written in place; see OutputPlace.
///
/// A regular file is written as a TemporaryFile beside the destination; commit() flushes it to the
/// disk and renames it. A killed or failed run leaves no file named PATH. The destructor of an
/// uncommitted output removes the temporary file; after a kill, the next output named PATH does. A
/// file that replaces another takes over its permissions.
class Output {
 public:
  /// Opens the destination now, so that a missing folder or a full disk shows before any work is
  /// done, and so do a mount point and a folder that cannot be written to: no file can be renamed
  /// there. `path` "" or "-" is standard output. A descriptor must be one that the process was
  /// started with. BGZF is compressed on up to `threads` threads. Throws RuntimeError or
  /// ResourceError, and UsageError for a name that looks like that of a temporary file.
  explicit Output(std::string path, Encoding encoding = Encoding::plain, int threads = 1);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Calls `hook` before bytes of any output go to a terminal, so that a program can clear what it
  /// shows there. Set it before any output exists.
  static void before_terminal(std::function<void()> hook);
  /// Calls `hook` with the name and the encoding of each output that is about to be opened or to
  /// get another name, so that a program can refuse it: what the hook throws comes out. Set it
  /// likewise.
  static void before_opening(std::function<void(const std::string& name, Encoding)> hook);
  /// Calls `check` each time before bytes leave this process, and before commit() completes. If it
  /// throws, the bytes are not written: results come out only if their source is still valid.
  void check_before_writing(std::function<void()> check) { check_ = std::move(check); }
  /// Takes the pages that a file of `bytes` bytes needs, if it is to be in memory (tmpfs): the
  /// larger part of writing it. This can be done while something else is computed. Does nothing
  /// elsewhere, or where there is no room. Never make `bytes` more than the file will have. Call it
  /// at most once; any thread may, before the first write().
  void reserve(std::uint64_t bytes);
  /// Appends bytes. Throws ResourceError if the disk is full, BrokenPipe if the pipe is closed, and
  /// RuntimeError otherwise.
  void write(std::string_view bytes);
  void write(const void* bytes, std::size_t count) {
    write(std::string_view(static_cast<const char*>(bytes), count));
  }
  /// write() on several threads, if reserve() has taken the pages; else on one.
  void write_on_threads(std::string_view bytes, int threads);
  /// Whether replace() works: the output is a plain file.
  bool can_replace() const { return temporary_ && !blocks_; }
  /// Replaces bytes that were written at `offset`, as a header that is known at the end. Throws as
  /// write() does. Pre: can_replace(), and all of these bytes have been written.
  void replace(std::uint64_t offset, std::string_view bytes);
  /// Writes the buffered bytes; of BGZF, the whole blocks. Throws as write() does.
  void flush();
  /// Flushes a plain stream, whose reader may wait for it; files are left alone.
  void flush_stream();
  /// Whether bytes are written in place, so that they stay if the run fails.
  bool is_stream() const { return !temporary_; }
  /// Bytes given to write() so far, before encoding.
  std::uint64_t offset() const { return offset_; }
  /// Flushes, syncs and closes the output: what may fail for lack of room. Only commit() may
  /// follow, and finish(), which then does nothing.
  void finish();
  /// Gives a file another name, in the same folder, to appear under. Pre: it is no stream, and
  /// finish() has been called.
  void rename(std::string path);
  /// Completes the output: finish() unless that is done, then rename. Must be the last call.
  void commit();

 private:
  friend void commit_all(std::span<Output* const> outputs);

  void take_name();
  void append(std::string_view bytes);
  void write_buffer();
  void write_all(const char* bytes, std::size_t count);
  void start_writeback();

  std::string path_;
  std::optional<TemporaryFile> temporary_;  ///< none for a stream
  int fd_ = -1;
  std::uint64_t offset_ = 0;    ///< bytes given to write()
  std::uint64_t written_ = 0;   ///< bytes written to fd_
  std::uint64_t reserved_ = 0;  ///< bytes of the file that have their pages
  std::uint64_t given_to_disk_ =
      0;  ///< of written_, the bytes that the system was asked to write to the disk
  std::string buffer_;
  std::function<void()> check_;
  std::optional<BgzfEncoder> blocks_;  ///< none if the output is not encoded
  bool terminal_ = false;
};

/// The reader of a pipe has gone. The program ends quietly, as other filters do.
struct GSX_API BrokenPipe : Error {
  explicit BrokenPipe(const std::string& what) : Error(ErrorKind::runtime, what) {}
};

}  // namespace gsx

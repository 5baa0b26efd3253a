// Checked output: nothing that could not be written, flushed and closed is ever a success.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/bgzf_encoder.hpp"
#include "io/temporary_file.hpp"

namespace gsx {

/// How the bytes of an output are stored.
enum class Encoding : std::uint8_t { plain, bgzf };

/// The encoding that the name of an output asks for: BGZF where it ends in .gz or .bgz.
Encoding encoding_for(std::string_view path);

/// A destination of bytes: a file that appears under its name only when it is complete, or a
/// stream (a FIFO, a device) or an open descriptor, which is written in place; see OutputPlace.
///
/// A regular file is written as a TemporaryFile beside the destination, and commit() flushes it to
/// the disk and renames it. A killed or failed run leaves no file named PATH; the destructor of an
/// uncommitted output removes the temporary one, and after a kill the next output named PATH does.
/// A file that is replaced leaves its permissions to the new one.
class Output {
 public:
  /// Opens now, so that a missing folder or a full disk shows before any work is done.
  /// `path` "" or "-" is standard output. A descriptor must be one that the program was started
  /// with. Throws RuntimeError or ResourceError, and UsageError for a name of the form that
  /// temporary files have.
  explicit Output(std::string path, Encoding encoding = Encoding::plain);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Has `hook` called before bytes of any output go to a terminal: what a program shows there
  /// makes room for them. Set it before there are outputs.
  static void before_terminal(std::function<void()> hook);
  /// Calls `check` each time before bytes leave this process, and before commit() is done: what it
  /// throws keeps them back. So results come out only if what they are from was true until then.
  void check_before_writing(std::function<void()> check) { check_ = std::move(check); }
  /// Appends bytes. Throws ResourceError for a full disk, BrokenPipe for a closed pipe, else
  /// RuntimeError.
  void write(std::string_view bytes);
  void write(const void* bytes, std::size_t count) {
    write(std::string_view(static_cast<const char*>(bytes), count));
  }
  /// Passes on what is buffered. Throws as write() does.
  void flush();
  /// Bytes written so far, before they are encoded, buffered ones included.
  std::uint64_t offset() const { return offset_; }
  /// Completes the output: flush, sync, close, rename. Must be the last call.
  void commit();

 private:
  void append(std::string_view bytes);
  void write_all(const char* bytes, std::size_t count);
  void start_writeback();

  std::string path_;
  std::optional<TemporaryFile> temporary_;  ///< none for a stream
  int fd_ = -1;
  std::uint64_t offset_ = 0;         ///< with what is in the buffer
  std::uint64_t written_ = 0;        ///< without
  std::uint64_t given_to_disk_ = 0;  ///< of that, what the system was asked to write to the disk
  std::string buffer_;
  std::function<void()> check_;
  std::optional<BgzfEncoder> blocks_;  ///< of the encoding, if there is one
  std::string encoded_;
  bool terminal_ = false;
};

/// The reader of our standard output has gone: end quietly, as other filters do.
struct BrokenPipe {};

}  // namespace gsx

// Reads patterns from plain lists, one per line.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/batch_size.hpp"
#include "seq/byte_source.hpp"
#include "seq/record_batch.hpp"

namespace gsx {

/// Reads the patterns of `paths` in order ("-" is standard input). Each file may be plain, gzip or
/// BGZF, with LF or CRLF line ends. A line is SEQUENCE or NAME<tab>SEQUENCE; a pattern without a
/// name is its own name. Ignores blank lines, lines that begin with '#', and blanks around a
/// sequence.
class PatternListReader {
 public:
  /// Opens nothing yet. A batch holds the patterns of about `batch_bytes`, or fewer if the writer
  /// of a pipe pauses; a line may have at most `line_bytes`. `size`, if it is not null, says how
  /// much smaller batches should be.
  PatternListReader(std::vector<std::string> paths, std::uint64_t batch_bytes,
                    std::uint64_t line_bytes = ~std::uint64_t{0}, const BatchSize* size = nullptr);

  /// Fills `batch` with the next patterns, at least one; false and an empty batch at the end.
  /// Throws InputError with file and line if a file cannot be read or a line is not a pattern, and
  /// LongQueryError for a line that is too long, before reading more of it. Only one thread at a
  /// time may call it.
  bool next(RecordBatch& batch);

  /// Bytes taken from the files so far, before decompression. Any thread may call it.
  std::uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }

  /// The files that held no pattern, as messages name them.
  const std::vector<std::string>& empty_files() const { return empty_files_; }

 private:
  bool open_next();
  void keep_part(std::string_view part);
  bool read_lines(RecordBatch& batch, std::uint64_t& bytes);
  void add_line(std::string_view line, RecordBatch& batch);
  std::string_view checked_sequence(std::string_view field) const;
  std::string format_of_start() const;
  void refuse_other_format() const;
  [[noreturn]] void fail_on_pattern(const std::string& what) const;
  [[noreturn]] void fail_on_byte(char byte) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::vector<std::string> paths_;
  std::uint64_t batch_bytes_;
  const BatchSize* size_;  ///< if not null, sets batch_bytes_ for each batch
  std::uint64_t line_bytes_;
  std::size_t opened_ = 0;
  std::unique_ptr<ByteSource> source_;  ///< the open file, if any
  std::string path_;                    ///< of that file
  std::string start_;                   ///< its first bytes
  std::string label_;
  std::uint64_t line_ = 0;      ///< 1-based number of the last line taken
  std::uint64_t patterns_ = 0;  ///< in the open file
  std::string partial_;         ///< the beginning of a line
  std::vector<std::string> empty_files_;
  std::uint64_t bytes_of_ended_ = 0;  ///< bytes read from the files before the open one
  std::atomic<std::uint64_t> bytes_read_{0};
};

}  // namespace gsx

// FASTA and FASTQ from files, pipes and standard input, in batches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "seq/record_batch.hpp"

namespace gsx {

struct ReaderOptions {
  int threads = 1;                                       ///< for BGZF inflation
  std::uint64_t batch_symbols = std::uint64_t{4} << 20;  ///< a batch ends at about this many
  bool split_records = false;  ///< a batch may end inside a record (for building an index)
};

/// Reads the records of `paths` in order ("-" is standard input); each file may be plain, gzip or
/// BGZF, FASTA or FASTQ, with LF or CRLF line ends; all decompression and I/O is htslib's.
class SequenceReader {
 public:
  /// Opens nothing yet. Throws UsageError when `paths` is empty or names "-" twice.
  SequenceReader(std::vector<std::string> paths, ReaderOptions options);
  ~SequenceReader();
  SequenceReader(SequenceReader&&) noexcept;
  SequenceReader& operator=(SequenceReader&&) noexcept;

  /// Fills `batch` with the next records; false at the end of the last file, with an empty batch.
  /// Throws InputError naming file, record number (1-based, in that file) and line for a file that
  /// is missing, a directory, unreadable, empty, neither FASTA nor FASTQ, malformed, or truncated.
  bool next(RecordBatch& batch);

  /// Compressed or plain bytes taken from the files so far (for progress).
  std::uint64_t bytes_read() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx

// FASTA and FASTQ from files, pipes and standard input, in batches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/stage_times.hpp"
#include "seq/record_batch.hpp"

namespace gsx {

struct ReaderOptions {
  int threads = 1;  ///< for BGZF inflation
  /// A batch holds the records that begin in about so many decompressed bytes of a file.
  std::uint64_t block_bytes = std::uint64_t{1} << 20;
  bool split_records = false;   ///< a batch may end inside a record (for building an index)
  bool keep_qualities = false;  ///< of FASTQ, in the batches; not where records are split
  /// Bytes of a whole record, at most: a longer one is a LongQueryError, before more of it is read.
  std::uint64_t record_bytes = ~std::uint64_t{0};
  bool allow_empty = false;        ///< an empty file has no records, and is no error
  std::uint64_t first_number = 0;  ///< of the first batch
  StageTimes* times = nullptr;     ///< where reading, parsing and waiting are added
};

/// Reads the records of `paths` in order ("-" is standard input); each file may be plain, gzip or
/// BGZF, FASTA or FASTQ, with LF or CRLF line ends.
///
/// Any number of threads may call next() at the same time. Each takes a block of raw bytes, under
/// a lock where they cannot be read by several threads (pipes, compressed files), parses it as one
/// that begins where the bytes suggest, and waits until all blocks before it are parsed. If those
/// have ended elsewhere, which takes records of more lines than four in a FASTQ file or one that
/// is longer than a block, the block is parsed again, then and there. So what is serial is
/// inflation and, of plain files, nothing but long records.
class SequenceReader {
 public:
  /// Opens nothing yet. Throws UsageError when `paths` is empty or names "-" twice.
  SequenceReader(std::vector<std::string> paths, ReaderOptions options);
  ~SequenceReader();
  SequenceReader(SequenceReader&&) noexcept;
  SequenceReader& operator=(SequenceReader&&) noexcept;

  /// Fills `batch` with the next records, never none; false, and an empty batch, when there are no
  /// more, or when only other threads have some. Batches are numbered in input order.
  /// Throws InputError naming file, record number (1-based, in that file) and line for a file that
  /// is missing, a directory, unreadable, empty, neither FASTA nor FASTQ, malformed, or truncated;
  /// then batch.number is that of the batch with the error, and so for every later call.
  bool next(RecordBatch& batch);

  /// Those of the files, as messages name them, that are empty. Pre: next() has returned to every
  /// thread that called it.
  std::vector<std::string> empty_files() const;

  /// Compressed or plain bytes taken from the files so far (for progress).
  std::uint64_t bytes_read() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx

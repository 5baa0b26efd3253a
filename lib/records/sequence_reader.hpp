// Reads FASTA and FASTQ from files, pipes and standard input, in batches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/batch_size.hpp"
#include "base/cpu_path.hpp"
#include "base/stage_times.hpp"
#include "records/decoding.hpp"
#include "records/record_batch.hpp"

namespace gsx {

struct ReaderOptions {
  int threads = 1;  ///< that call next(); with more, blocks are read and inflated ahead
  /// A batch holds the records that begin in about this many decompressed bytes of a file.
  std::uint64_t block_bytes = std::uint64_t{1} << 20;
  bool split_records = false;   ///< a batch may end inside a record (for building an index)
  bool keep_qualities = false;  ///< keep FASTQ qualities in the batches; not with split_records
  bool keep_bytes = false;  ///< keep the bytes of records in the batches; not with split_records
  /// Pack the bases of the batches, and drop the symbols but for a few: RecordBatch::bases has
  /// them. Not with split_records, qualities or bytes.
  bool pack_bases = false;
  /// A record with more than record_bytes, and such a line of a list, is an InputError with its
  /// place, behind the records before it. Not with split_records, qualities, bytes or bases.
  bool short_records = false;
  /// Most bytes of a whole record. A longer one is a LongQueryError, thrown before more of it is
  /// read, unless records are short.
  std::uint64_t record_bytes = ~std::uint64_t{0};
  /// Most bytes of a header line. A longer one is an OutOfMemoryError that names file and line.
  std::uint64_t header_bytes = ~std::uint64_t{0};
  /// A line of FASTA that begins with '@' is an error: a FASTQ record. Sequences of any bytes may
  /// have such lines.
  bool refuse_fastq_in_fasta = false;
  /// The name of a record is all of its header line, without blanks around it, and not only the
  /// first word. A tab in it is an error.
  bool whole_header = false;
  /// Lists may have sequences of any printable characters, so that only tabs separate.
  bool any_symbols = false;
  bool allow_empty = false;  ///< an empty file counts as a file without records, not as an error
  std::uint64_t first_number = 0;  ///< of the first batch
  /// Whether a thread leaves a block that it has parsed to the thread with the one before, and
  /// parses another: then twice as many blocks and batches may be in memory as there are threads.
  bool hands_over = true;
  const BatchSize* size = nullptr;  ///< if not null, says how much smaller batches should be
  StageTimes* times =
      nullptr;  ///< if not null, times of reading, parsing and waiting are added here
  CpuPath path = best_cpu_path();  ///< for parsing
  Decoding decoding = {};
};

/// Throws UsageError if two of the paths are standard input, by any of its names.
void require_one_standard_input(const std::vector<std::string>& paths);

/// Reads the records of `paths` in order ("-" is standard input). Each file may be FASTA or
/// FASTQ, with LF or CRLF line ends, plain or compressed by gzip, BGZF, bzip2, xz or zstd. 2bit is
/// read as FASTA, and SAM, BAM and CRAM are read as FASTQ; their errors name records, but no lines.
///
/// Any number of threads may call next() at the same time. Each call takes a block of raw bytes
/// (under a lock, if several threads cannot read them at once: pipes, compressed files), and parses
/// it from the start that its bytes suggest. The thread with the next block in input order joins
/// it to those before, and then the blocks behind it that other threads have left. If those before
/// end elsewhere, it parses a block again: so a quality line that looks like a header is never
/// taken for one. That happens only for FASTQ records of more than four lines and for records
/// longer than a block. So only inflating one plain gzip file and parsing
/// long records are serial. Several gzip files are inflated at the same time.
class SequenceReader {
 public:
  /// Opens nothing yet. Throws UsageError if `paths` is empty or names standard input twice.
  SequenceReader(std::vector<std::string> paths, const ReaderOptions& options);
  ~SequenceReader();
  SequenceReader(SequenceReader&&) noexcept;
  SequenceReader& operator=(SequenceReader&&) noexcept;

  /// Starts to read up to `bytes` ahead in a thread of its own, so that inflating does not wait for
  /// what the caller still has to set up. Reads plain gzip in regular files only, up to the first
  /// file of another kind; errors wait for their turn. Does nothing if options.threads is 1. Pre:
  /// neither this nor next() has been called.
  void read_ahead(std::uint64_t bytes);

  /// Sets ReaderOptions::refuse_fastq_in_fasta, for callers that learn late which symbols there may
  /// be. Pre: next() has not been called.
  void refuse_fastq_in_fasta();

  /// Sets ReaderOptions::any_symbols in the same way. Pre: next() has not been called.
  void take_any_symbols();

  /// Sets ReaderOptions::pack_bases in the same way. Pre: next() has not been called. Throws
  /// UsageError.
  void pack_bases();

  /// Fills `batch` with the next records, at least one. Returns false and an empty batch if all
  /// have been given. Batches are numbered in input order, and given in this order: when a call
  /// returns one, calls that have returned, or are about to, give all before it.
  /// Throws InputError with file, record number (1-based, in that file) and line for a file that is
  /// missing, a directory, unreadable, empty, neither FASTA nor FASTQ, malformed or truncated.
  /// The records before the error, but not the one with it, have come in batches before; of a
  /// reader that splits records, also the part of that one that was read.
  /// batch.number is then that of the batch with the error, batch.left_open says whether the last
  /// record that came lacks its end, and every later call throws again.
  bool next(RecordBatch& batch);

  /// What the log should say of the columns of lists: "FILE: ...". Pre: as of empty_files().
  std::vector<std::string> list_notes() const;

  /// The files that are empty, as messages name them. Pre: every call of next() has returned.
  std::vector<std::string> empty_files() const;

  /// Whether a file, by its number, is SAM, BAM or CRAM, whose flags say which reads are mates. Any
  /// thread may ask of a file that has given a batch.
  bool is_alignment(std::size_t file) const;

  /// Bytes taken from the files so far, compressed or plain; for progress.
  std::uint64_t bytes_read() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx

// Gives the queries of a run, from all their sources.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "records/sequence_reader.hpp"

namespace gsx {

/// The sources of the queries.
struct QueryInputs {
  std::vector<std::string> patterns;       ///< -p: each is a query
  std::vector<std::string> pattern_files;  ///< -f
  std::vector<std::string> files;          ///< behind those; both may be lists, FASTA or FASTQ

  bool empty() const { return patterns.empty() && pattern_files.empty() && files.empty(); }
  /// The lists and the files.
  std::vector<std::string> all_files() const;
};

/// Gives, in batches, the patterns, then those of the lists, then the records of the files.
class QuerySource {
 public:
  /// Opens nothing yet. `tag_files` names queries NAME/1, NAME/2, ... by the number of their file.
  /// Throws UsageError if standard input is named twice.
  QuerySource(QueryInputs inputs, const ReaderOptions& reading, bool tag_files);

  /// Starts to read the sequence files ahead; see SequenceReader::read_ahead().
  void read_ahead(std::uint64_t bytes) {
    if (reader_) reader_->read_ahead(bytes);
  }
  /// See SequenceReader::refuse_fastq_in_fasta(). Pre: next() has not been called.
  void refuse_fastq_in_fasta() {
    if (reader_) reader_->refuse_fastq_in_fasta();
  }
  /// See SequenceReader::take_any_symbols(). Pre: next() has not been called.
  void take_any_symbols() {
    if (reader_) reader_->take_any_symbols();
  }
  /// See SequenceReader::pack_bases(): patterns come as symbols all the same.
  /// Pre: next() has not been called.
  void pack_bases() {
    if (reader_) reader_->pack_bases();
  }
  /// A NextBatch. Throws LongQueryError for a query that is too long.
  bool next(RecordBatch& batch);
  /// Whether next() does only what its own batch needs: all files are plain and regular. It waits
  /// for the writer of a pipe, and decompresses other files for all threads as long as these have
  /// something to do. Throws InputError for a file that cannot be read.
  bool is_quick() const;
  /// Bytes read from the lists and the sequence files so far.
  std::uint64_t bytes_read() const { return reader_ ? reader_->bytes_read() : 0; }
  /// The files read so far that held no query, as messages name them. Pre: as list_notes().
  std::vector<std::string> empty_files() const;
  /// What the log should say of lists. Pre: every call of next() has returned.
  std::vector<std::string> list_notes() const;

 private:
  bool give_patterns(RecordBatch& batch);
  bool next_from_files(RecordBatch& batch);
  void refuse_long(const RecordBatch& batch) const;

  QueryInputs inputs_;
  bool tag_files_;
  std::uint64_t most_;  ///< most symbols of a query
  std::atomic<bool> patterns_given_;
  std::mutex noting_;                     ///< guards the member below
  std::set<std::string> taken_as_lists_;  ///< QUERY files
  std::optional<SequenceReader> reader_;
};

}  // namespace gsx

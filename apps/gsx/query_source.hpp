// The queries of a run, from all places where they can be.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "query/pattern_list.hpp"
#include "search/hits.hpp"
#include "seq/sequence_reader.hpp"

namespace gsx::app {

/// Where the queries of a run are.
struct QueryInputs {
  std::vector<std::string> patterns;       ///< -p: each a query
  std::vector<std::string> pattern_files;  ///< -f: lists
  std::vector<std::string> files;          ///< FASTA and FASTQ

  bool empty() const { return patterns.empty() && pattern_files.empty() && files.empty(); }
  /// The lists and the files.
  std::vector<std::string> all_files() const;
};

/// What the reader of the files is to do.
struct QueryReading {
  int threads = 1;
  std::uint64_t batch_bytes = 0;
  std::uint64_t query_bytes = unlimited;  ///< symbols of a query, at most
  bool tag_files = false;                 ///< name queries NAME/1, NAME/2, ... by their file
  StageTimes* times = nullptr;
};

/// Gives the patterns, then those of the lists, then the records of the files, in batches.
class QuerySource {
 public:
  /// Opens nothing yet. Throws UsageError when standard input is named twice.
  QuerySource(QueryInputs inputs, const QueryReading& reading);

  /// As NextBatch says. Throws LongQueryError for a query that is too long.
  bool next(RecordBatch& batch);
  /// Bytes taken from the lists and the files of sequences.
  std::uint64_t bytes_read() const {
    return lists_.bytes_read() + (reader_ ? reader_->bytes_read() : 0);
  }
  /// Those of the files read so far, as messages name them, without any query.
  std::vector<std::string> empty_files() const;

 private:
  bool next_listed(RecordBatch& batch);
  bool next_from_files(RecordBatch& batch);
  void refuse_long(const RecordBatch& batch) const;

  QueryInputs inputs_;
  bool tag_files_;
  std::uint64_t most_;  ///< symbols of a query
  std::mutex taking_;   ///< for the members that follow
  bool patterns_given_ = false;
  PatternListReader lists_;
  std::uint64_t listed_ = 0;    ///< batches that are not of the files
  std::exception_ptr failure_;  ///< of a list: it is thrown again, never read on
  std::atomic<bool> listed_all_{false};
  std::optional<SequenceReader> reader_;
};

}  // namespace gsx::app

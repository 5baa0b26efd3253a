// Writes how often each query occurs in each record, or in each input file, of the index.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text_pieces.hpp"
#include "output/lines/hit_row.hpp"
#include "output/lines/query_names.hpp"
#include "records/record_batch.hpp"
#include "text/text.hpp"

namespace gsx {

inline constexpr const char* record_counts_header = header_of<RecordCountColumns>;

/// Appends one TSV line per query and record with hits.
class RecordCountLines {
 public:
  RecordCountLines(TextPieces& out, const RecordBatch& queries, const RecordsView& targets)
      : out_(out), queries_(queries), targets_(targets) {}

  void add(std::size_t query, std::uint64_t record, const StrandCounts& counts);

 private:
  TextPieces& out_;
  const RecordBatch& queries_;
  RecordsView targets_;
};

enum class FileCountForm : std::uint8_t {
  lines,     ///< one per query and file with hits: query_id, file_id, count, count_fwd, count_rev
  matrix,    ///< one per query, with the count in each file
  presence,  ///< one per query, with 1 for each file with hits and 0 for the others
};

/// The queries that are written, by the number of files with hits.
struct WantedFiles {
  std::uint64_t least = 0;
  std::uint64_t most = unlimited;

  /// The queries that options ask for, where a most of 0 is no limit. Throws UsageError if no
  /// number is between the two.
  static WantedFiles between(std::uint64_t min_files, std::uint64_t max_files) {
    if (max_files != 0 && min_files > max_files)
      throw UsageError("--min-files is larger than --max-files: no query can have so many files");
    return {min_files, max_files == 0 ? unlimited : max_files};
  }
  bool has(std::uint64_t files) const { return least <= files && files <= most; }
};

struct FileCountOptions {
  FileCountForm form = FileCountForm::lines;
  WantedFiles wanted = {};
};

/// The header of the lines of a FileCountLines.
std::string file_counts_header(FileCountForm form, const SourceFilesView& files);

/// Appends TSV lines for the queries of a batch. Holds one query at a time: 24 bytes for each file
/// with hits.
class FileCountLines {
 public:
  /// Pre: the files are kept.
  FileCountLines(TextPieces& out, const RecordBatch& queries, const SourceFilesView& files,
                 const FileCountOptions& options)
      : out_(out), queries_(queries), names_(queries), files_(files), options_(options) {}

  /// Adds a file with hits of a query. Queries and files come in input order.
  void add(std::size_t query, std::uint64_t file, const StrandCounts& counts);
  /// Appends what is left of the batch.
  void finish();

 private:
  struct FileCount {
    std::uint64_t file;
    StrandCounts counts;
  };

  void write_query();
  void write_lines(ShownName query, std::string& text) const;
  void write_row(ShownName query, std::string& text) const;

  TextPieces& out_;
  const RecordBatch& queries_;
  QueryNames names_;
  SourceFilesView files_;
  FileCountOptions options_;
  std::size_t query_ = 0;          ///< that is not written yet
  std::vector<FileCount> counts_;  ///< of it
};

}  // namespace gsx

// Counts the hits of each query in each input file of the index, as hits come in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text_pieces.hpp"
#include "output/lines/query_names.hpp"
#include "records/record_batch.hpp"
#include "search/exact/hits.hpp"
#include "text/text.hpp"

namespace gsx {

enum class FileCountForm : std::uint8_t {
  lines,     ///< one per query and file with hits: query_id, file_id, count, count_fwd, count_rev
  matrix,    ///< one per query, with the count in each file
  presence,  ///< one per query, with 1 for each file with hits and 0 for the others
};

/// The queries that are written, by the number of files with hits.
struct WantedFiles {
  std::uint64_t least = 0;
  std::uint64_t most = unlimited;

  /// The same as options have it, where a most of 0 is no limit. Throws UsageError if no number is
  /// between them.
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

/// The header of the lines of a FileCounts.
std::string file_counts_header(FileCountForm form, const SourceFilesView& files);

/// Adds up the hits of a batch, which must come by query and record. Appends TSV lines, queries and
/// files in input order. Holds one query at a time: 24 bytes for each file with hits.
class FileCounts {
 public:
  /// Pre: the files of `targets` are kept.
  FileCounts(TextPieces& out, const RecordBatch& queries, const RecordsView& targets,
             const SegmentsView& segments, const FileCountOptions& options)
      : out_(out), names_(queries), targets_(targets), segments_(segments), options_(options) {}

  void add(const HitChunk& chunk);
  /// Appends the last query.
  void finish();

 private:
  struct FileCount {
    std::uint64_t file;
    StrandCounts counts;
  };

  std::uint64_t end_of(std::uint64_t file) const;
  void find_file(std::uint64_t position);
  void write_lines(std::string_view query, std::string& text) const;
  void write_row(std::string_view query, std::string& text) const;

  TextPieces& out_;
  QueryNames names_;
  RecordsView targets_;
  SegmentsView segments_;
  FileCountOptions options_;
  std::size_t query_ = 0;
  bool begun_ = false;             ///< whether there is such a query
  std::uint64_t file_end_ = 0;     ///< where the last file of counts_ ends in the text
  std::vector<FileCount> counts_;  ///< of the query
};

}  // namespace gsx

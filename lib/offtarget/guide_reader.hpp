// Reads guides: one per line, with a name or without, or as FASTA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seq/line_reader.hpp"
#include "seq/record_batch.hpp"

namespace gsx {

/// Reads the guides of files in order ("-" is standard input), plain, gzip or BGZF. A file that
/// begins with '>' is FASTA. In any other, a line is SEQUENCE or NAME<tab>SEQUENCE, blank lines and
/// those that begin with '#' are skipped, and a guide without a name is its own name.
class GuideReader {
 public:
  /// Opens nothing yet.
  explicit GuideReader(std::vector<std::string> paths) : paths_(std::move(paths)) {}

  /// Adds guides until the batch holds `most`, or `most_symbols` or more of their symbols; false if
  /// it holds none. Throws InputError with file and line if a file cannot be read, or a line is not
  /// a guide.
  bool next(RecordBatch& batch, std::size_t most, std::uint64_t most_symbols);
  /// The files that held no guide, as messages name them.
  const std::vector<std::string>& empty_files() const { return empty_files_; }

 private:
  bool open_next();
  bool next_guide(RecordBatch& batch);
  bool next_fasta_record(RecordBatch& batch);
  void add_line(RecordBatch& batch);
  std::string_view checked(std::string_view field) const;

  std::vector<std::string> paths_;
  std::size_t opened_ = 0;
  std::optional<LineReader> lines_;  ///< of the open file, if any
  bool fasta_ = false;
  bool any_ = false;  ///< whether the open file had a guide
  std::vector<std::string> empty_files_;
};

}  // namespace gsx

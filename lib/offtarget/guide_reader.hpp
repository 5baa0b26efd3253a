// Reads guides: lists, with names or without, or FASTA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "seq/record_batch.hpp"
#include "seq/sequence_reader.hpp"

namespace gsx {

/// Reads the guides of files in order ("-" is standard input): lists of SEQUENCE or
/// NAME<tab>SEQUENCE, as seq/list_columns.hpp finds their columns, and all that SequenceReader
/// reads. A guide without a name is its own name.
class GuideReader {
 public:
  static constexpr std::uint64_t longest_guide = std::uint64_t{1} << 16;

  /// Opens nothing yet. Throws UsageError as SequenceReader.
  explicit GuideReader(std::vector<std::string> paths);

  /// Adds guides until the batch holds `most`, or `most_symbols` or more of their symbols; false if
  /// it holds none. Throws InputError with file and line if a file cannot be read, or a line is not
  /// a guide; the guides before it come first.
  bool next(RecordBatch& batch, std::size_t most, std::uint64_t most_symbols);
  /// The files that held no guide, as messages name them.
  std::vector<std::string> empty_files() const;
  /// SequenceReader::list_notes().
  std::vector<std::string> list_notes() const;

 private:
  bool read_more(bool any);

  std::optional<SequenceReader> reader_;  ///< if there are files
  RecordBatch read_;                      ///< what has been read
  std::size_t at_ = 0;                    ///< the next guide of that
};

}  // namespace gsx

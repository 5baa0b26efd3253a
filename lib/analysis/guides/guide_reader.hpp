// Reads guides: lists, with names or without, or FASTA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "records/record_batch.hpp"
#include "records/short_record_reader.hpp"

namespace gsx {

/// Reads the guides of files in order ("-" is standard input): lists of SEQUENCE or
/// NAME<tab>SEQUENCE, as records/lists/list_columns.hpp finds their columns, and all that
/// SequenceReader reads. A guide without a name is its own name.
class GuideReader {
 public:
  /// Opens nothing yet. Throws UsageError as SequenceReader.
  explicit GuideReader(std::vector<std::string> paths);

  /// Adds guides until the batch holds `most`, or `most_symbols` or more of their symbols; false if
  /// it holds none. Throws InputError with file and place if a file cannot be read, or what it
  /// holds is no guide, or too long (ShortRecordReader); the guides before it come first.
  bool next(RecordBatch& batch, std::size_t most, std::uint64_t most_symbols);
  /// The files that held no guide, as messages name them.
  std::vector<std::string> empty_files() const { return reader_.empty_files(); }
  /// SequenceReader::list_notes().
  std::vector<std::string> list_notes() const { return reader_.list_notes(); }

 private:
  ShortRecordReader reader_;
};

}  // namespace gsx

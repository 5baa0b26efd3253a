// Reads short records, such as guides and primers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/record_batch.hpp"
#include "records/sequence_reader.hpp"

namespace gsx {

/// Gives the records of files in order ("-" is standard input), one after another. They may be
/// lists, and all else that SequenceReader reads. A record, or a line, of more bytes than
/// `most_bytes` is an error of the input.
class ShortRecordReader {
 public:
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 16;

  /// Opens nothing yet. Without paths there are no records. Throws UsageError as SequenceReader.
  ShortRecordReader(std::vector<std::string> paths, ListForm lists);

  /// Whether there is another record, which batch() has at at(). Reads some if need be; what the
  /// batch had before is gone then. Throws InputError with file and place. If the caller has `any`
  /// records that are to be used before an error, returns false instead; the next call throws.
  bool has_next(bool any);
  /// Goes to the next record. Pre: has_next() was true.
  void pass() { ++at_; }

  const RecordBatch& batch() const { return read_; }
  std::size_t at() const { return at_; }
  std::string_view name() const { return read_.name(at_); }
  std::string_view sequence() const { return read_.sequence(at_); }
  std::string_view comment() const { return read_.comment(at_); }

  /// The files that held no record, as messages name them.
  std::vector<std::string> empty_files() const;
  /// SequenceReader::list_notes().
  std::vector<std::string> list_notes() const;

 private:
  std::optional<SequenceReader> reader_;  ///< if there are files
  RecordBatch read_;                      ///< what has been read
  std::size_t at_ = 0;                    ///< the next record of that
};

}  // namespace gsx

// Reads the two files of mates at the same pace.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>

#include "records/sequence_reader.hpp"

namespace gsx {

/// Gives batches of either file, of the one first that has given fewer records: so few of them wait
/// for their mates, however long the records are.
class MateSource {
 public:
  /// Opens nothing yet. Throws UsageError if standard input is named twice.
  MateSource(const std::string& first, const std::string& second, const ReaderOptions& options);

  /// A NextBatch: batch.file says from which file, 0 or 1, and batch.first_record counts in that
  /// file. Ends early if one file has more records than the other, soon after the other has ended.
  /// An error in a file is thrown once the other file has given as many records.
  bool next(RecordBatch& batch);
  std::uint64_t bytes_read() const { return files_[0].bytes_read() + files_[1].bytes_read(); }
  /// The files without records. Pre: every call of next() has returned.
  std::vector<std::string> empty_files() const;

 private:
  /// How far a file is read.
  struct Progress {
    std::uint64_t records = 0;  ///< given
    std::uint64_t batches = 0;  ///< given
    std::uint64_t asked = 0;    ///< batches that threads are about to be given
    bool ended = false;         ///< whether no thread need ask again, as far as is known
    std::exception_ptr error;   ///< at its end, if there is one
    /// Records given, and about those asked for.
    std::uint64_t expected() const {
      return records + (batches == 0 ? asked : asked * (records / batches));
    }
  };
  /// The file to read next; -1 if both have ended, or one is longer than the other.
  int choose() const;
  /// The error that comes first in the files, if there is one.
  std::exception_ptr first_error() const;

  std::array<SequenceReader, 2> files_;
  std::mutex mutex_;  ///< guards the members below
  std::array<Progress, 2> progress_;
  std::uint64_t batches_ = 0;         ///< of both files
  std::condition_variable returned_;  ///< a thread, with what it asked for
};

}  // namespace gsx

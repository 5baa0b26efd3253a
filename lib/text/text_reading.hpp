// What reading files into one text or several has in common.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/memory_limit.hpp"
#include "base/progress.hpp"
#include "records/sequence_reader.hpp"
#include "text/text.hpp"
#include "text/text_options.hpp"

namespace gsx {

/// Gives the reader's batches, and lets a caller see the first ones before they are handed out.
class BatchSource {
 public:
  explicit BatchSource(SequenceReader& reader) : reader_(reader) {}

  /// The first symbols: symbols and records together count up to `count`. Ends early at an error,
  /// which next() throws in its turn, since the records before it may have errors of their own.
  /// Call it before any next().
  std::string first_symbols(std::uint64_t count);
  /// As SequenceReader::next.
  bool next(RecordBatch& batch);

 private:
  SequenceReader& reader_;
  std::vector<RecordBatch> first_;
  std::atomic<std::size_t> given_{0};
};

/// The text of the batches that `next` gives, on several threads, with memory reserved for
/// `symbols` symbols, separators included. Calls `report` for each batch.
Text text_of_batches(const NextBatch& next, std::uint64_t symbols, const TextOptions& options,
                     MemoryLimit* memory, int threads, const std::function<void()>& report);

/// Opens files, decides on the alphabet, and makes texts of batches. Refers to its arguments.
class TextReading {
 public:
  /// `first_batch` is the number of the first batch of the files.
  TextReading(MemoryLimit* memory, const std::vector<std::string>& paths,
              const ReadTextOptions& options, const ProgressReport& progress,
              std::uint64_t first_batch = 0);

  /// Gives the batches of the files; as SequenceReader::next.
  bool next(RecordBatch& batch) { return source_.next(batch); }
  /// The text of the batches that `next` gives, on several threads. It reserves memory for
  /// `symbols` symbols, separators included.
  Text read(const NextBatch& next, std::uint64_t symbols);
  /// The options. If no alphabet was given, that of the first records; still none if the files have
  /// no symbols.
  const TextOptions& text_options() const { return options_; }
  /// Bytes of the files; 0 if one of them is not a regular file.
  std::uint64_t total_bytes() const { return total_; }
  void finish() const {
    if (progress_) progress_("reading", 1);
  }

 private:
  void report() const;

  MemoryLimit* memory_;
  const ProgressReport& progress_;
  int threads_;
  std::uint64_t total_;
  SequenceReader reader_;
  BatchSource source_;
  TextOptions options_;
  bool whole_header_;
};

}  // namespace gsx

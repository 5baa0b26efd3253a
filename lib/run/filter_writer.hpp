// Writes the reads that pass a filter, and the rest, byte for byte, in input order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bytes/output.hpp"
#include "records/record_batch.hpp"
#include "run/filter_rules.hpp"
#include "run/record_tally.hpp"

namespace gsx {

/// Reads of one file, which of them match, and how many cannot.
struct FilteredReads {
  RecordBatch reads;
  std::vector<std::uint8_t> matched;
  std::uint64_t unmatchable = 0;
  std::uint64_t too_short = 0;
  std::uint64_t like_dna = 0;            ///< see FilterFigures
  std::vector<BestRecord> records = {};  ///< of the reads that match, if they are asked for
};

/// Where reads go: all to the first output, mates one after another, or second mates to the second
/// output. Without a first output, they go nowhere.
struct FilterOutputs {
  Output* first = nullptr;
  Output* second = nullptr;
};

/// What becomes of which reads.
struct FilterTask {
  FilterRules rules;
  ReadPairing pairing = ReadPairing::none;
  bool by_order =
      false;  ///< whether mates are those that have the same place, whatever their names
  bool may_be_pairs = false;  ///< whether reads stand alone even if they look like pairs
  FilterOutputs passed;
  FilterOutputs rest;  ///< of reads that do not pass
  /// Whether a file holds alignments; never, if it is not there.
  std::function<bool(std::size_t file)> is_alignment = {};
};

/// Decides which reads pass, and writes them and the others.
class FilterWriter {
 public:
  explicit FilterWriter(const FilterTask& task)
      : task_(task),
        passed_{{task.passed.first}, {task.passed.second}},
        rest_{{task.rest.first}, {task.rest.second}} {}
  virtual ~FilterWriter() = default;
  FilterWriter(const FilterWriter&) = delete;
  FilterWriter& operator=(const FilterWriter&) = delete;

  /// Takes the next reads of a file, and leaves others in their place, for their memory. Throws
  /// InputError for mates that do not belong together, and UsageError for files that cannot be
  /// those of the pairing.
  virtual void take(FilteredReads& reads) = 0;
  /// Ends the input. Throws InputError for reads without a mate, and UsageError as take() does.
  virtual void finish() {}
  /// Writes reads that wait for others, of an input that ends with an error.
  virtual void release() {}
  /// Writes what is buffered for streams.
  void flush_streams();
  const FilterFigures& figures() const { return figures_; }

 protected:
  /// An output, and the line end that it lacks: the last read of a file may have none.
  struct Sink {
    Output* out = nullptr;
    std::string_view missing_end = {};
    char mark = 0;  ///< with which its records begin: '>' in FASTA, '@' in FASTQ

    /// Writes a line end that is missing, then whole records. Throws InputError, with the place()
    /// of the first, if they are not in the format of those before.
    void write(std::string_view bytes, const std::function<std::string()>& place);
  };
  /// Where the reads go that pass, or the others.
  struct Half {
    Sink first, second;

    bool has_two() const { return second.out != nullptr; }
    /// Where second mates go.
    Sink& of_second() { return has_two() ? second : first; }
  };

  /// Counts the reads of a batch, but not which are written.
  void count(const FilteredReads& batch);
  Half& half_of(bool passes) { return passes ? passed_ : rest_; }
  /// Counts a pair; whether it passes.
  bool decide(bool first, bool second);
  /// Writes reads [first, last) to an output of this half.
  void write(const RecordBatch& reads, std::size_t first, std::size_t last, Half& half, Sink& sink);
  /// Writes so many pairs, whose mates lie from i and j on, side by side.
  void write_pairs(const RecordBatch& one, std::size_t i, const RecordBatch& two, std::size_t j,
                   std::size_t pairs, Half& half);
  /// Counts reads that are written to this half.
  void count_written(std::uint64_t reads, std::uint64_t bases, const Half& half);
  bool is_alignment(std::size_t file) const {
    return task_.is_alignment && task_.is_alignment(file);
  }

  FilterTask task_;
  FilterFigures figures_;
  Half passed_, rest_;
};

/// A writer for reads that belong together as the task says.
std::unique_ptr<FilterWriter> make_filter_writer(const FilterTask& task);

/// As make_filter_writer(). Pre: reads do not stand alone.
std::unique_ptr<FilterWriter> make_pair_writer(const FilterTask& task);

}  // namespace gsx

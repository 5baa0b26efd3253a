// Writes the reads that pass a filter, byte for byte, in input order.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/output.hpp"
#include "query/filter_rules.hpp"
#include "seq/record_batch.hpp"

namespace gsx {

/// Reads of one file, which of them match, and how many cannot.
struct FilteredReads {
  RecordBatch reads;
  std::vector<std::uint8_t> matched;
  std::uint64_t unmatchable = 0;
  std::uint64_t like_dna = 0;  ///< see FilterFigures
};

/// Where reads go: all to the first output, or second mates to the second.
struct FilterOutputs {
  Output* first = nullptr;
  Output* second = nullptr;  ///< may be null, but not for pairs of two files
};

/// Decides which reads pass, and writes them.
class FilterWriter {
 public:
  FilterWriter(const FilterRules& rules, const FilterOutputs& outputs)
      : rules_(rules), outputs_{Sink{outputs.first}, Sink{outputs.second}} {}
  virtual ~FilterWriter() = default;
  FilterWriter(const FilterWriter&) = delete;
  FilterWriter& operator=(const FilterWriter&) = delete;

  /// Takes the next reads of a file, and leaves others in their place, for their memory. Throws
  /// InputError for mates that do not belong together.
  virtual void take(FilteredReads& reads) = 0;
  /// Ends the input. Throws InputError for reads without a mate.
  virtual void finish() {}
  /// Writes what is buffered for streams.
  void flush_streams() {
    for (const Sink& sink : outputs_)
      if (sink.out != nullptr) sink.out->flush_stream();
  }
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

  /// Counts the reads of a batch, but not which are written.
  void count(const FilteredReads& batch);
  /// Writes reads [first, last) to one of the outputs.
  void write(const RecordBatch& reads, std::size_t first, std::size_t last, Sink& sink);

  FilterRules rules_;
  FilterFigures figures_;
  std::array<Sink, 2> outputs_;
};

/// A writer for reads that belong together so.
std::unique_ptr<FilterWriter> make_filter_writer(ReadPairing pairing, const FilterRules& rules,
                                                 const FilterOutputs& outputs);

}  // namespace gsx

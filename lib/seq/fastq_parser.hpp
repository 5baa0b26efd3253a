// Parses FASTQ: an '@' line, sequence lines, a '+' line, and as many quality values as symbols.
#pragma once

#include "machine/cpu_path.hpp"
#include "seq/record_parser.hpp"

namespace gsx {

/// Checks the qualities, and drops them unless the batch keeps them. If the sequence is on one
/// line, the qualities must be on one line; if it is wrapped, they may be wrapped in any way.
class FastqParser final : public RecordParser {
 public:
  FastqParser(BlockStart start, std::uint64_t line, CpuPath path)
      : RecordParser(start, line), path_(path) {}
  void parse(std::string_view block, RecordBatch& batch) override;
  void finish(RecordBatch& batch) override;
  bool is_at(BlockStart start) const override {
    return start == BlockStart::record && part_ == Part::mark;
  }
  bool is_inside_record() const override { return part_ != Part::mark; }
  bool has_open_record() const override { return part_ != Part::mark && part_ != Part::header; }

 private:
  /// Which part of a record comes next.
  enum class Part { mark, header, sequence, plus, quality };

  /// Skips blank lines; true if the next '@' is found.
  bool find_mark(std::string_view& block, RecordBatch& batch);

  /// Takes records of four clean lines; false if none is at the front of the block.
  bool take_records(std::string_view& block, RecordBatch& batch);

  void take_sequence(std::string_view& block, RecordBatch& batch);
  void take_plus(std::string_view& block);
  void take_quality(std::string_view& block, RecordBatch& batch);
  void add_qualities(std::string_view run, RecordBatch& batch);
  [[noreturn]] void fail_on_quality_length() const;

  CpuPath path_;
  Part part_ = Part::mark;
  std::uint64_t sequence_lines_ = 0;    ///< lines of the open record that hold symbols
  std::uint64_t symbols_of_lines_ = 0;  ///< symbols in those lines
  std::uint64_t qualities_ = 0;
};

}  // namespace gsx

// Parses FASTQ: an '@' line, sequence lines, a '+' line, and as many quality values as symbols.
#pragma once

#include "base/cpu_path.hpp"
#include "records/record_parser.hpp"

namespace gsx {

/// Checks the qualities, and drops them unless the batch keeps them. Both sequence and qualities
/// may be wrapped in any way: the qualities of a record are as many as its symbols, whatever their
/// lines begin with.
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
  void begin_quality_line(std::string_view text);
  void add_qualities(std::string_view run, RecordBatch& batch);
  void end_plus();
  [[noreturn]] void fail_on_quality_length();
  [[noreturn]] void fail_on_few(std::uint64_t qualities) const;
  void fail_if_cut_short();

  /// A quality line that begins with '@': it may be the next record's header, if the one before is
  /// damaged. Of a record, the first such line.
  struct MarkedLine {
    std::uint64_t before = 0;  ///< qualities in the lines before it; 0 if there is no such line
    std::uint64_t lines = 0;   ///< that have ended since it began, or since the '+' line
    bool second = false;       ///< whether it is the second quality line
  };

  CpuPath path_;
  Part part_ = Part::mark;
  std::uint64_t sequence_lines_ = 0;    ///< lines of the open record that hold symbols
  std::uint64_t symbols_of_lines_ = 0;  ///< symbols in those lines
  std::string plus_;                    ///< of the '+' line, as much as tells it from the header
  std::uint64_t qualities_ = 0;
  std::uint64_t quality_lines_ = 0;  ///< that have begun
  bool after_blank_ = false;         ///< whether a blank was seen in the quality line
  MarkedLine marked_;
};

}  // namespace gsx

// FASTQ: an '@' line, sequence lines, a '+' line, and as many quality values as symbols.
#pragma once

#include "seq/record_parser.hpp"

namespace gsx {

/// Qualities are checked, and dropped unless the batch keeps them. A sequence of one line has its
/// qualities on one line; where the sequence is wrapped, the qualities are wrapped anyhow.
class FastqParser final : public RecordParser {
 public:
  using RecordParser::RecordParser;
  void parse(std::string_view block, RecordBatch& batch) override;
  void finish(RecordBatch& batch) override;
  bool is_at(BlockStart start) const override {
    return start == BlockStart::record && part_ == Part::mark;
  }
  bool is_inside_record() const override { return part_ != Part::mark; }

 private:
  bool has_header() const override { return part_ != Part::mark && part_ != Part::header; }

  /// What comes next.
  enum class Part { mark, header, sequence, plus, quality };

  /// Skips blank lines; true when the next record's '@' is there.
  bool find_mark(std::string_view& block);

  /// Takes a record of four clean lines that the block has whole; else false, and takes nothing.
  bool take_whole_record(std::string_view& block, RecordBatch& batch);

  /// Takes a clean line of symbols that the text has whole; else false, and takes nothing.
  bool take_sequence_line(std::string_view& text, std::string_view& line);

  void take_sequence(std::string_view& block, RecordBatch& batch);
  void take_plus(std::string_view& block);
  void take_quality(std::string_view& block, RecordBatch& batch);
  void add_qualities(std::string_view run, RecordBatch& batch);
  [[noreturn]] void fail_on_quality_length() const;

  Part part_ = Part::mark;
  std::uint64_t sequence_lines_ = 0;    ///< of the open record that hold symbols
  std::uint64_t symbols_of_lines_ = 0;  ///< in those lines
  std::uint64_t qualities_ = 0;
  std::size_t usual_length_ = 0;  ///< of the last record taken whole
};

}  // namespace gsx

// Parses FASTA: a '>' line, then any number of sequence lines.
#pragma once

#include "records/record_parser.hpp"

namespace gsx {

class FastaParser final : public RecordParser {
 public:
  using RecordParser::RecordParser;
  void parse(std::string_view block, RecordBatch& batch) override;
  void finish(RecordBatch& batch) override;
  bool is_at(BlockStart start) const override;
  bool is_inside_record() const override { return true; }
  bool has_open_record() const override { return record_ != 0 && !in_header_; }

 private:
  bool is_refused(std::string_view line) const { return refuses_marks_ && line.starts_with('@'); }

  /// The shape of a line. In most files, all lines of a record but the last share one.
  struct LineShape {
    std::size_t symbols = 0;
    std::size_t end = 0;  ///< 1 for LF, 2 for CRLF
  };

  /// Takes the lines at the front of the block that have the shape of the last line and hold only
  /// symbols. This is a fast path for genomes; take_symbols() would do the same. Returns true if it
  /// stopped only because it has taken as many lines as one step may take.
  bool take_equal_lines(std::string_view& block, RecordBatch& batch);

  /// Remembers the shape of the line at the front of the block, if the block holds all of it.
  void note_shape(std::string_view block);

  bool in_header_ = false;
  LineShape shape_;
};

}  // namespace gsx

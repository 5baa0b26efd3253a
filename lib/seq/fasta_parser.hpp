// FASTA: a '>' line, then any number of sequence lines.
#pragma once

#include "seq/record_parser.hpp"

namespace gsx {

class FastaParser final : public RecordParser {
 public:
  using RecordParser::RecordParser;
  void parse(std::string_view block, RecordBatch& batch) override;
  void finish(RecordBatch& batch) override;
  bool is_at(BlockStart start) const override;
  bool is_inside_record() const override { return true; }

 private:
  bool has_header() const override { return record_ != 0 && !in_header_; }

  /// What the lines of a record but the last have in common in most files.
  struct LineShape {
    std::size_t symbols = 0;
    std::size_t end = 0;  ///< 1 for LF, 2 for CRLF
  };

  /// Takes the lines at the front of the block that have the last line's shape and only symbols:
  /// the fast way for whole genomes, and only a shortcut. True when it stopped only because it has
  /// done a step's worth.
  bool take_equal_lines(std::string_view& block, RecordBatch& batch);

  /// Remembers the shape of the line at the front of the block, if it is all there.
  void note_shape(std::string_view block);

  bool in_header_ = false;
  LineShape shape_;
};

}  // namespace gsx

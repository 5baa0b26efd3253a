// FASTA: a '>' line, then any number of sequence lines.
#pragma once

#include "seq/record_parser.hpp"

namespace gsx {

class FastaParser final : public RecordParser {
 public:
  using RecordParser::RecordParser;
  bool parse(std::string_view& block, BatchFiller& filler) override;
  void finish(BatchFiller& filler) override;

 private:
  /// What the lines of a record but the last have in common in most files.
  struct LineShape {
    std::size_t symbols = 0;
    std::size_t end = 0;  ///< 1 for LF, 2 for CRLF
  };

  /// Takes the lines at the front of the block that have the last line's shape and only symbols,
  /// as far as the batch has room: the fast way for whole genomes, and only a shortcut. True when
  /// it stopped only because it has done a step's worth.
  bool take_equal_lines(std::string_view& block, BatchFiller& filler);

  /// Remembers the shape of the line at the front of the block, if it is all there.
  void note_shape(std::string_view block);

  bool in_header_ = false;
  LineShape shape_;
};

}  // namespace gsx

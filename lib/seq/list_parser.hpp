// Parses plain lists: a sequence per line, and after a tab whatever belongs to it.
#pragma once

#include "seq/record_parser.hpp"

namespace gsx {

/// Each line with a sequence becomes a record. In a SequenceFormat::list it has no name, and its
/// comment is what follows the sequence, from the tab on; empty if there is no tab. In a named list
/// it is NAME<tab>SEQUENCE, or a SEQUENCE that is its own name. Passes over blank lines, lines that
/// begin with '#', and blanks around a sequence. The batch does not get the bytes of records.
class ListParser final : public RecordParser {
 public:
  /// Pre: is_list(format).
  ListParser(BlockStart start, std::uint64_t line, SequenceFormat format)
      : RecordParser(start, line), named_(format == SequenceFormat::named_list) {}
  void parse(std::string_view block, RecordBatch& batch) override;
  void finish(RecordBatch& batch) override;
  bool is_at(BlockStart start) const override {
    return at_line_start_ && !after_cr_ && start == BlockStart::record;
  }
  bool is_inside_record() const override { return !at_line_start_ || after_cr_; }
  bool has_open_record() const override { return false; }

 private:
  void add_line(std::string_view line, std::uint64_t number, RecordBatch& batch);
  [[noreturn]] void fail_on_line(std::string_view sequence, std::uint64_t number);

  bool named_;
  std::string partial_;  ///< of a line, what has been read of it
};

}  // namespace gsx

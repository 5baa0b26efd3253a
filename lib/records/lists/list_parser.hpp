// Parses plain lists: a sequence per line, with a name or a count beside it.
#pragma once

#include <memory>

#include "records/lists/list_columns.hpp"
#include "records/record_parser.hpp"

namespace gsx {

/// Takes lines of a list apart.
class ListLine {
 public:
  /// With `any_symbols`, sequences hold any printable characters, so that only tabs separate.
  ListLine(std::shared_ptr<const ListColumns> columns, bool any_symbols)
      : columns_(std::move(columns)), form_(columns_->form), any_symbols_(any_symbols) {}

  /// Takes the next line; false if it is blank, a comment, or the header. Throws ParseError. What
  /// it gives is valid as long as the line and this object.
  bool take(std::string_view line);

  std::string_view sequence, reverse, count;
  std::string_view name;  ///< the sequence as in the line where there is none

 private:
  bool is_sequence_alone(std::string_view line) const;
  void take_plain(std::string_view line);
  void take_fields(std::string_view line);
  void check(std::string_view checked, std::size_t column) const;

  std::shared_ptr<const ListColumns> columns_;
  ListForm form_;
  bool any_symbols_;
  ListFields fields_;
};

/// Each line with a sequence becomes a record. In a counted list it has no name, and its comment is
/// its count, empty if there is none. In a named list the name may be the sequence. A pair of
/// primers has the forward one as its sequence, and the reverse one as its comment. Passes over
/// blank lines, comments ('#'), the header and what repeats it, and blanks around
/// fields. The batch does not get the bytes of records. A line of more than `most_line` bytes is an
/// error.
class ListParser final : public RecordParser {
 public:
  ListParser(BlockStart start, std::uint64_t line, std::shared_ptr<const ListColumns> columns,
             bool any_symbols, std::uint64_t most_line = ~std::uint64_t{0})
      : RecordParser(start, line),
        form_(columns->form),
        most_line_(most_line),
        taken_(std::move(columns), any_symbols) {}
  void parse(std::string_view block, RecordBatch& batch) override;
  void finish(RecordBatch& batch) override;
  bool is_at(BlockStart start) const override {
    return at_line_start_ && !after_cr_ && start == BlockStart::record;
  }
  bool is_inside_record() const override { return !at_line_start_ || after_cr_; }
  bool has_open_record() const override { return false; }

 private:
  void add_line(std::string_view line, RecordBatch& batch);
  void keep_part(std::string_view part);
  void check_length(std::string_view line) const;

  ListForm form_;
  std::uint64_t most_line_;
  ListLine taken_;
  std::string partial_;  ///< of a line, what has been read of it
};

}  // namespace gsx

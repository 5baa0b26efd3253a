// What the FASTA and the FASTQ parser share: lines, headers, symbols, and where an error is.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "seq/batch_filler.hpp"

namespace gsx {

/// Throws InputError: "LABEL: record R, line L: what"; R is left out when it is 0, and so is L.
[[noreturn]] void throw_input_error(const std::string& label, std::uint64_t record,
                                    std::uint64_t line, const std::string& what);

/// Turns the bytes of one file into records. The bytes come in blocks cut anywhere; no line is
/// ever held whole except a header, so sequences of any length pass through in constant memory.
class RecordParser {
 public:
  /// `label` names the file in messages; `line` is the 1-based number of the line begun.
  RecordParser(std::string label, std::uint64_t line) : label_(std::move(label)), line_(line) {}
  virtual ~RecordParser() = default;
  RecordParser(const RecordParser&) = delete;
  RecordParser& operator=(const RecordParser&) = delete;

  /// Takes bytes off the front of `block`, which stays valid meanwhile, until none is left (false)
  /// or the batch is full (true). Throws InputError.
  virtual bool parse(std::string_view& block, BatchFiller& filler) = 0;

  /// The file has ended. Throws InputError when that is inside a record.
  virtual void finish(BatchFiller& filler) = 0;

  /// Throws an InputError that names this place of the file.
  [[noreturn]] void fail(const std::string& what) const {
    throw_input_error(label_, record_, line_, what);
  }

 protected:
  /// A piece of a line: its bytes without the line end, and what follows them.
  struct Piece {
    std::string_view text;
    std::size_t taken = 0;   ///< bytes of the block, line end included
    bool ends_line = false;  ///< the line end is there
    bool cut_at_cr = false;  ///< the block ends with a CR, and the LF is still to come
  };

  /// What the block has of the current line. Pre: the block is not empty.
  Piece peek_line(std::string_view block) const;

  /// The same for a header or '+' line, whose bytes it checks.
  Piece peek_text(std::string_view block) const;

  /// Takes the piece off the block and counts the line when it ends.
  void take(const Piece& piece, std::string_view& block);

  /// Adds to the header; true when its line has ended, so that it is complete.
  bool take_header(std::string_view& block);

  /// Opens the next record. Pre: !filler.full().
  void begin_record(std::string_view header, BatchFiller& filler);

  /// Takes what the block has of a sequence line, without blanks, or as much of that as the batch
  /// has room for; false, and takes nothing, when it has none. Pre: the block is not empty.
  bool take_symbols(std::string_view& block, BatchFiller& filler);

  /// Takes the next bytes that are not blanks off the front of `text`, which is inside a sequence
  /// line or else a quality line; empty at its end. Throws for a byte that may not be there.
  std::string_view next_run(std::string_view& text, bool sequence) const;

  std::string label_;
  std::uint64_t line_;
  std::uint64_t record_ = 0;          ///< 1-based number of the open record in this file
  std::uint64_t record_symbols_ = 0;  ///< of the open record so far
  std::string header_;                ///< of the record being opened, as far as read
  bool at_line_start_ = true;
  bool after_cr_ = false;  ///< the last block ended with a CR whose LF is still to come
};

/// The parser for a file whose first byte other than a blank is `mark`: '>' FASTA, '@' FASTQ; else
/// null.
std::unique_ptr<RecordParser> make_parser(char mark, std::string label, std::uint64_t line);

}  // namespace gsx

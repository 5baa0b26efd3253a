// What the FASTA and the FASTQ parser share: lines, headers, symbols, and where an error is.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "seq/record_batch.hpp"
#include "seq/record_border.hpp"

namespace gsx {

/// The input is malformed. what() says how; where it is, the parser that threw it says.
struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Turns the bytes of one file into records. The bytes come in blocks cut anywhere; no line is
/// ever held whole except a header, so sequences of any length pass through in constant memory.
class RecordParser {
 public:
  /// Begins at the beginning of the file, or at any `start` but an unknown one; `line` is the
  /// 1-based number of the line begun.
  RecordParser(BlockStart start, std::uint64_t line)
      : line_(line), at_line_start_(start != BlockStart::inside) {}
  virtual ~RecordParser() = default;
  RecordParser(const RecordParser&) = delete;
  RecordParser& operator=(const RecordParser&) = delete;

  /// Adds the records of `block` to the batch, and symbols of one that is open to its last entry.
  /// Throws ParseError; then record() and line() are where that is.
  virtual void parse(std::string_view block, RecordBatch& batch) = 0;

  /// The file has ended. Throws ParseError when that is inside a record.
  virtual void finish(RecordBatch& batch) = 0;

  /// Whether a parser that begins at `start` would do with the next byte what this one will do.
  virtual bool is_at(BlockStart start) const = 0;

  /// Whether the last record may go on, as far as the bytes so far tell.
  virtual bool is_inside_record() const = 0;

  /// The name of the open record, or empty where there is none or its header is not complete.
  std::string_view name() const;

  /// Bytes held of the last header.
  std::uint64_t header_bytes() const { return header_.size(); }

  /// The one-based number of the open record in the file, 0 before the first, and of the line.
  std::uint64_t record() const { return record_; }
  std::uint64_t line() const { return line_; }

  /// Makes the numbers of a parser that began with line 0 where `before` has ended the file's.
  void follow(const RecordParser& before) {
    if (record_ == 0) header_ = before.header_;
    record_ += before.record_;
    line_ += before.line_;
  }

 protected:
  /// Whether header_ is the open record's, and complete.
  virtual bool has_header() const = 0;

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

  /// Opens the next record. `header` is its line without the mark and the line end: the name up to
  /// the first blank, and the comment.
  void begin_record(std::string_view header, RecordBatch& batch);

  /// Takes what the block has of a sequence line, without blanks. Pre: the block is not empty.
  void take_symbols(std::string_view& block, RecordBatch& batch);

  /// Takes the next bytes that are not blanks off the front of `text`, which is inside a sequence
  /// line or else a quality line; empty at its end. Throws for a byte that may not be there.
  std::string_view next_run(std::string_view& text, bool sequence) const;

  std::uint64_t line_;
  std::uint64_t record_ = 0;          ///< 1-based number of the open record in this file
  std::uint64_t record_symbols_ = 0;  ///< of the open record so far
  std::string header_;                ///< of the record being opened, as far as read
  bool at_line_start_;
  bool after_cr_ = false;  ///< the last block ended with a CR whose LF is still to come
};

/// A parser that begins at `start`, which is not unknown.
std::unique_ptr<RecordParser> make_parser(SequenceFormat format, BlockStart start,
                                          std::uint64_t line);

}  // namespace gsx

// What the FASTA and FASTQ parsers share: lines, headers, symbols, and the position of errors.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/cpu_path.hpp"
#include "bytes/line_text.hpp"
#include "records/record_batch.hpp"
#include "records/record_border.hpp"

namespace gsx {

/// The input is malformed. what() says how; the parser that threw knows where.
struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What follows cannot be read.
struct UnreadableError : ParseError {
  using ParseError::ParseError;
};

/// What follows takes more memory than is allowed, such as a header line. Like ParseError, it
/// leaves the place to the parser.
struct ShortMemoryError : ParseError {
  using ParseError::ParseError;
};

/// Turns the bytes of one file into records. The bytes come in blocks that are cut anywhere. No
/// line except a header is ever held whole, so sequences of any length take constant memory.
class RecordParser {
 public:
  /// Starts at the start of a file, or at any other `start` except unknown. `line` is the 1-based
  /// number of the first line.
  RecordParser(BlockStart start, std::uint64_t line)
      : line_(line), at_line_start_(start != BlockStart::inside) {}
  virtual ~RecordParser() = default;
  RecordParser(const RecordParser&) = delete;
  RecordParser& operator=(const RecordParser&) = delete;

  /// Adds the records of `block` to the batch, and the symbols of an open record to its last entry.
  /// Throws ParseError; record() and line() then say where.
  virtual void parse(std::string_view block, RecordBatch& batch) = 0;

  /// Ends the file. Throws ParseError if the file ends inside a record.
  virtual void finish(RecordBatch& batch) = 0;

  /// Whether a parser that starts at `start` would treat the next byte as this one does.
  virtual bool is_at(BlockStart start) const = 0;

  /// Whether the last record may have more bytes to come.
  virtual bool is_inside_record() const = 0;

  /// Whether the last record of the batch is incomplete: its header has been read, its end has not.
  virtual bool has_open_record() const = 0;

  /// Name of the open record; empty if there is none or its header is incomplete.
  std::string_view name() const;

  /// Refuses headers of more than `bytes`, before it holds more of them: by ShortMemoryError, or by
  /// ParseError if they have to be short whatever memory there is.
  void limit_header(std::uint64_t bytes, bool short_headers) {
    most_header_ = bytes;
    short_headers_ = short_headers;
  }

  /// Throws ShortMemoryError: a header has more than `most` bytes.
  [[noreturn]] static void fail_on_header(std::uint64_t most);

  /// Whether a line of a FASTA sequence that begins with '@' is refused.
  void refuse_marks(bool refused) { refuses_marks_ = refused; }

  /// Whether the name of a record is all of its header line, and not only the first word.
  void take_whole_headers(bool whole) { whole_headers_ = whole; }

  /// FASTQ records whose '+' line repeats neither the header nor the name, and the 1-based number
  /// of the first in the file.
  std::uint64_t unlike_headers() const { return unlike_headers_; }
  std::uint64_t first_unlike() const { return first_unlike_; }

  /// Bytes of the last header, which are held in memory.
  std::uint64_t header_bytes() const { return header_.size(); }

  /// 1-based number of the open record in the file (0 before the first), and of the line.
  std::uint64_t record() const { return record_; }
  std::uint64_t line() const { return line_; }

  /// Continues the numbers of `before`, the parser of the part before this one. Pre: this one began
  /// with line 0.
  void follow(const RecordParser& before) {
    if (record_ == 0) header_ = before.header_;
    if (unlike_headers_ != 0) first_unlike_ += before.record_;
    if (before.unlike_headers_ != 0) first_unlike_ = before.first_unlike_;
    unlike_headers_ += before.unlike_headers_;
    record_ += before.record_;
    line_ += before.line_;
  }

 protected:
  /// A piece of a line without the line end, and what follows it.
  struct Piece {
    std::string_view text;
    std::size_t taken = 0;   ///< bytes of the block, including the line end
    bool ends_line = false;  ///< whether the block holds the line end
    bool cut_at_cr = false;  ///< whether the block ends with a CR whose LF is still to come
  };

  /// The part of the current line that the block holds. Pre: the block is not empty.
  Piece peek_line(std::string_view block) const;

  /// The part of the current header or '+' line that the block holds; checks its bytes.
  Piece peek_text(std::string_view block) const;

  /// Takes the piece off the block, and counts the line if it ends.
  void take(const Piece& piece, std::string_view& block);

  /// Adds to the header; true once its line has ended. Throws as check_header().
  bool take_header(std::string_view& block);

  /// Throws ParseError if the header is asked for as a name, and cannot be one.
  void check_header() const;

  /// Opens the next record. `header` is the header line without mark and line end: blanks, the name
  /// up to the first blank behind them, then the comment; or as a whole the name, if that is asked
  /// for.
  void begin_record(std::string_view header, RecordBatch& batch);

  /// Length of the name that a header begins with, which itself does not begin with a blank.
  std::size_t name_length(std::string_view header) const;

  /// Takes the part of a sequence line that the block holds, without blanks. Pre: the block is not
  /// empty.
  void take_symbols(std::string_view& block, RecordBatch& batch);

  /// Takes the next run of bytes without blanks off the front of `text`, which is part of a
  /// sequence line if `sequence`, else of a quality line. Empty at the end. Throws for a byte that
  /// is not allowed.
  std::string_view next_run(std::string_view& text, bool sequence) const;

  std::uint64_t line_;
  std::uint64_t record_ = 0;          ///< 1-based number of the open record in this file
  std::uint64_t record_symbols_ = 0;  ///< of the open record so far
  std::string header_;                ///< of the record being opened, as far as it has been read
  std::uint64_t most_header_ = ~std::uint64_t{0};
  bool short_headers_ = false;
  bool refuses_marks_ = false;
  bool whole_headers_ = false;
  std::uint64_t unlike_headers_ = 0, first_unlike_ = 0;
  bool at_line_start_;
  bool after_cr_ = false;  ///< whether the last block ended with a CR whose LF is still to come
};

/// A parser of FASTA or FASTQ that starts at `start`. Pre: `start` is not unknown.
std::unique_ptr<RecordParser> make_parser(SequenceFormat format, BlockStart start,
                                          std::uint64_t line, CpuPath path);

}  // namespace gsx

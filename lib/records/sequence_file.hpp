// Cuts a FASTA or FASTQ file into blocks of raw bytes that can be parsed independently.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/batch_size.hpp"
#include "base/error.hpp"
#include "records/formats/byte_source.hpp"
#include "records/lists/list_columns.hpp"
#include "records/record_border.hpp"

namespace gsx {

/// "LABEL: record R ('NAME'), line L: what"; leaves out parts that are 0 or empty.
InputError input_error(const std::string& label, std::uint64_t record, std::string_view name,
                       std::uint64_t line, const std::string& what);

/// A file cannot be opened because too many others are.
struct FileLimitError : ResourceError {
  using ResourceError::ResourceError;
};

/// Where blocks may be cut.
enum class BlockCut : std::uint8_t {
  record,  ///< before a record
  line,    ///< before any line of a FASTA file; before a record of a FASTQ file
};

struct Block {
  std::uint64_t window = 0;        ///< number of the window in which it begins
  std::uint64_t window_begin = 0;  ///< offset of this window in a plain file
  std::size_t window_bytes = 0;    ///< size of this window
  std::size_t next_bytes = 0;      ///< size of the next window
  BlockStart start = BlockStart::unknown;
  bool ends_before_start = false;  ///< whether the start of the next block is known
  bool last = false;               ///< whether it is the last block of the file
  std::string failure;        ///< why the bytes after `text` could not be read; empty if they could
  bool lacks_memory = false;  ///< whether that is because memory is short
  std::string_view text;      ///< its bytes, inside `storage`
  bool passed_on = false;     ///< whether pass_on() has given its bytes away, and `text` is empty

  std::vector<char> storage;  ///< reused from block to block; never smaller than `filled`
  std::size_t filled = 0;
};

/// An open sequence file. Its decompressed bytes, from the first record on, behind lines of
/// comments, are divided into windows: of block_bytes each, or of as many as a BatchSize says when
/// the window before is given out. A block begins at the first place of its window where it may be
/// cut, or at the start of the window if there is none, and it ends where the block of the next
/// window begins. So plain, compressed and piped input give the same blocks for the same windows,
/// and any thread can find a block of a plain file without the blocks before it. Only if the writer
/// of a pipe pauses, and blocks are of whole records, a block ends with what has come, and the next
/// one begins there.
class SequenceFile {
 public:
  /// Opens the file and finds its format. Of a BGZF file, it reads enough ahead for `threads`
  /// threads; `on_more` is as for ByteSource. Of 2bit and alignments, text is made, whatever
  /// `decoding` says of that. Throws InputError and FileLimitError; an empty file is not an error.
  /// A window has at most block_bytes, whatever `size` says; if that is null, it has as many.
  SequenceFile(const std::string& path, int threads, std::size_t block_bytes, BlockCut cut,
               std::function<void()> on_more = {}, const Decoding& decoding = {},
               const BatchSize* size = nullptr);

  const std::string& label() const { return *label_; }
  const std::shared_ptr<const std::string>& shared_label() const { return label_; }
  /// Format of the first record; FASTA if there is none.
  SequenceFormat format() const { return format_; }
  /// Whether it is a plain regular file, of which several threads can read at once.
  bool is_plain() const { return source_.plain_size() != 0; }
  /// Whether it is a regular file: reading does not wait for a writer.
  bool is_regular() const { return source_.is_regular(); }
  /// Whether the file holds only blanks.
  bool is_empty() const { return ended_ && windows_ == 0; }
  /// Whether its lines are those of the file, and not of text that was made of it.
  bool has_lines() const { return !source_.is_made(); }
  /// What to add to an error in the records: damage may show there before the checksum behind it is
  /// reached. Empty where it cannot.
  std::string note_on_damage() const;
  /// 1-based number of the line of the first record.
  std::uint64_t first_line() const { return first_line_; }
  /// The columns of a list; null for another format.
  const std::shared_ptr<const ListColumns>& list_columns() const { return columns_; }
  /// Bytes of the file that have been given out.
  std::uint64_t position() const;

  /// Gives out the next block; false after the last one. Reads its bytes now if several threads
  /// cannot read them at once. Only one thread at a time may call it.
  bool take(Block& block);
  /// As ByteSource::help(): for threads that wait for their turn to take a block. Any thread may
  /// call it.
  bool help() const { return source_.help(); }
  bool wants_help() const { return source_.wants_help(); }
  /// Reads the bytes of the block unless take() has read them. Any thread may call it.
  void load(Block& block) const;
  /// Reads the bytes of the block and gives them to `use`, piece by piece: each piece is still in
  /// the cache when it is used, and the block takes little memory. False, without a piece given,
  /// if that cannot be done: the file is not plain, the block is small, or it is not plain from the
  /// first piece where the block begins. Any thread may call it; load() can still be called.
  bool pass_on(Block& block, const std::function<void(std::string_view)>& use) const;
  /// About the most symbols that a block can hold, so that memory for them is taken once: growing
  /// memory by and by costs as much as parsing.
  std::size_t most_symbols(const Block& block) const;

 private:
  void fail(Block& block, const SourceError& error) const;
  void find_format(const Decoding& decoding);
  [[noreturn]] void fail_to_begin(const std::string& what) const;
  bool skip_comments(std::string_view marks);
  void skip_comment();
  std::string_view peek_list(ListForm form, bool& whole);
  void begin_list(ListForm form);
  bool find_list(ListForm form);
  void skip(std::string_view text);
  char line_end() const { return ends_by_cr_ ? '\r' : '\n'; }
  std::size_t next_window_bytes() const;
  void take_from_stream(Block& block);
  std::size_t find_start(std::string_view text, bool at_line_start) const;
  /// Gives the bytes of a plain file from an offset on.
  auto reader_from(std::uint64_t at) const {
    return [this, at](char* to, std::size_t count) mutable {
      count = static_cast<std::size_t>(std::min<std::uint64_t>(count, source_.plain_size() - at));
      source_.read_at(at, to, count);
      at += count;
      return count;
    };
  }
  template <class Read>
  void fill(Block& block, std::size_t size, Read& read) const;
  template <class Read>
  void cut(Block& block, Read read) const;
  template <class Read>
  std::size_t find_end(Block& block, std::size_t window_end, Read& read) const;
  std::size_t find_begin(Block& block, std::size_t window_begin, std::size_t window_end) const;

  std::string path_;
  std::shared_ptr<const std::string> label_;
  ByteSource source_;
  std::size_t block_bytes_;
  const BatchSize* size_;
  BlockCut cut_;
  SequenceFormat format_ = SequenceFormat::fasta;
  std::shared_ptr<const ListColumns> columns_;  ///< of a list
  bool ends_by_cr_ = false;                     ///< whether a list ends its lines by CR alone
  std::uint64_t comments_ = 0;                  ///< lines before the first record
  std::string comment_;                         ///< the last of them
  std::uint64_t first_line_ = 1;
  std::uint64_t begin_ = 0;       ///< offset of the first record, in decompressed bytes
  std::uint64_t windows_ = 0;     ///< number of windows given out
  std::uint64_t next_begin_ = 0;  ///< offset of the next window
  std::size_t next_bytes_ = 0;    ///< size of that
  bool ended_ = false;            ///< whether the last block of a stream has been given out
  bool after_pause_ = false;      ///< whether the next block begins where the last one ended
  std::vector<char> ahead_;  ///< of a stream: the last byte given out, and all bytes read after it
};

}  // namespace gsx

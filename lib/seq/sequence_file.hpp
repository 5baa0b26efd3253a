// A FASTA or FASTQ file as blocks of raw bytes, each of which can be parsed by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "seq/byte_source.hpp"
#include "seq/record_border.hpp"

namespace gsx {

/// "LABEL: record R ('NAME'), line L: what"; what is 0 or empty is left out.
InputError input_error(const std::string& label, std::uint64_t record, std::string_view name,
                       std::uint64_t line, const std::string& what);

/// Where blocks may be cut.
enum class BlockCut : std::uint8_t {
  record,  ///< before a record
  line,    ///< before any line of a FASTA file, before a record of a FASTQ file
};

struct Block {
  std::uint64_t window = 0;  ///< which of the file's windows it begins in
  BlockStart start = BlockStart::unknown;
  bool ends_before_start = false;  ///< the next block's start is a known one
  bool last = false;               ///< of its file
  std::string failure;             ///< why nothing could be read behind the text; mostly empty
  std::string_view text;           ///< its bytes, in `storage`

  std::vector<char> storage;  ///< kept from block to block, never smaller than `filled`
  std::size_t filled = 0;
};

/// An open sequence file. Its bytes, from the first record on and decompressed, are seen as windows
/// of block_bytes each. A block begins at the first place of its window where it may be cut, or
/// else where the window begins, and ends where the next window's block begins: so blocks are the
/// same for plain, compressed and piped input, and any thread finds those of a plain file alone.
class SequenceFile {
 public:
  /// Opens the file and finds its format; `threads` and `on_more` as for ByteSource. Throws
  /// InputError, but not for a file that is empty.
  SequenceFile(const std::string& path, int threads, std::size_t block_bytes, BlockCut cut,
               std::function<void()> on_more = {});

  const std::string& label() const { return *label_; }
  const std::shared_ptr<const std::string>& shared_label() const { return label_; }
  /// That of the first record; FASTA where there is none.
  SequenceFormat format() const { return format_; }
  /// Whether it holds nothing but blanks.
  bool is_empty() const { return ended_ && windows_ == 0; }
  /// The 1-based number of the line with the first record.
  std::uint64_t first_line() const { return first_line_; }
  /// Bytes of the file that have been given out.
  std::uint64_t position() const;

  /// Gives out the next block; false after the last one. What cannot be read by several threads is
  /// read now. One thread at a time.
  bool take(Block& block);
  /// As of ByteSource: for threads that wait for their turn to take a block. Any thread.
  bool help() const { return source_.help(); }
  bool wants_help() const { return source_.wants_help(); }
  /// Reads the block if that has not been done. Any thread.
  void load(Block& block) const;

 private:
  void find_format();
  bool is_plain() const { return source_.plain_size() != 0; }
  std::uint64_t window_begin(std::uint64_t window) const { return begin_ + window * block_bytes_; }
  void take_from_stream(Block& block);
  std::size_t find_start(std::string_view text, bool at_line_start) const;
  template <class Read>
  void fill(Block& block, std::size_t size, const Read& read) const;
  template <class Read>
  void cut(Block& block, const Read& read) const;
  template <class Read>
  std::size_t find_end(Block& block, std::size_t window_end, const Read& read) const;
  std::size_t find_begin(Block& block, std::size_t window_begin, std::size_t window_end) const;

  std::shared_ptr<const std::string> label_;
  ByteSource source_;
  std::size_t block_bytes_;
  BlockCut cut_;
  SequenceFormat format_ = SequenceFormat::fasta;
  std::uint64_t first_line_ = 1;
  std::uint64_t begin_ = 0;    ///< of the first record, in decompressed bytes
  std::uint64_t windows_ = 0;  ///< given out
  bool ended_ = false;         ///< the stream's last block has been given out
  std::vector<char> ahead_;    ///< of the stream: the last byte of that, and all behind it
};

}  // namespace gsx

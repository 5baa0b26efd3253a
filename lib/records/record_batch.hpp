// A batch of sequence records as read: names, comments, raw symbols and qualities, each in one flat
// buffer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "records/line_map.hpp"
#include "records/packed_bases.hpp"
#include "records/record_border.hpp"
#include "records/record_bytes.hpp"

namespace gsx {

/// Records in input order. The symbols of entry i are the bytes of its sequence lines, without line
/// ends and blanks, case kept. Its name is the first word of the header, and its comment is the
/// rest. If the blank is a single space with text after it, it is dropped; otherwise it begins the
/// comment. So a comment that does not begin with a blank had a space before it. A reader may split
/// a long record over batches: then `continues` is true, and entry 0, which has no name, holds more
/// symbols of the last record of the previous batch.
struct RecordBatch {
  std::string symbols;
  std::string names;
  std::string comments;
  std::string qualities;  ///< like `symbols`; empty unless FASTQ qualities are kept
  std::vector<std::uint64_t> symbol_ends;  ///< [size()], half-open ends of all symbols
  std::vector<std::uint64_t> name_ends;
  std::vector<std::uint64_t> comment_ends;
  std::uint64_t number = 0;  ///< of the batch in the whole input
  std::size_t file = 0;      ///< 0-based number of the file that holds the records
  SequenceFormat format = SequenceFormat::fasta;  ///< of that file
  std::uint64_t first_record = 0;                 ///< 0-based number of entry 0 in the whole input
  bool continues = false;
  /// If reading failed: whether the last record that was given lacks its end. Only a reader that
  /// splits records gives such a one.
  bool left_open = false;
  std::shared_ptr<const std::string> source;  ///< name of the file, as messages give it
  std::uint64_t first_in_source = 1;          ///< 1-based number of entry 0 in its file
  bool keeps_qualities = false;  ///< whether parsers store qualities; clear() does not change it
  LineMap lines;                 ///< lines of the symbols; kept by readers that split records
  RecordBytes bytes;             ///< of the records, as in the file; kept if the reader is asked to
  PackedBases bases;             ///< of the symbols, kept if the reader is asked to
  std::uint64_t dropped = 0;     ///< so many of the first symbols are in `bases` alone
  std::string spare;  ///< memory for the symbols of the block that the thread with the batch parses

  std::size_t size() const { return symbol_ends.size(); }
  /// Number of the symbols, dropped ones among them.
  std::uint64_t symbol_count() const { return symbol_ends.empty() ? 0 : symbol_ends.back(); }
  /// Pre: none of its symbols has been dropped.
  std::string_view sequence(std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : symbol_ends[i - 1];
    return std::string_view(symbols).substr(begin - dropped, symbol_ends[i] - begin);
  }
  std::uint64_t length(std::size_t i) const {
    return symbol_ends[i] - (i == 0 ? 0 : symbol_ends[i - 1]);
  }
  std::string_view name(std::size_t i) const { return piece(names, name_ends, i); }
  std::string_view comment(std::size_t i) const { return piece(comments, comment_ends, i); }
  /// One character per symbol, as in the file; empty if there are no qualities.
  std::string_view quality(std::size_t i) const {
    return qualities.empty() ? std::string_view() : piece(qualities, symbol_ends, i);
  }

  /// Calls use(i, symbol) for each entry i and each symbol in it that is no base: once for one that
  /// follows itself. In order. Pre: bases are kept, and finished.
  template <class Use>
  void for_each_foreign(const Use& use) const {
    std::size_t i = 0;
    for (const PackedBases::Foreign& run : bases.foreign()) {
      for (std::uint64_t at = run.begin; at < run.begin + run.count; at = symbol_ends[i]) {
        while (symbol_ends[i] <= at)
          ++i;
        use(i, run.symbol);
      }
    }
  }

  /// Removes the records and keeps the memory.
  void clear();
  /// Opens an entry, without symbols yet.
  void begin_record(std::string_view name, std::string_view comment);
  /// Appends `ending` to every name.
  void end_names(std::string_view ending);
  /// Appends symbols to the last entry; opens a continued one if there is none.
  void append(std::string_view more);

  /// Appends what `write` writes. `write` gets a pointer to space for `most` symbols and returns
  /// how many it has written.
  template <class Write>
  void append_written(std::size_t most, const Write& write) {
    const std::size_t before = symbols.size();
    symbols.resize(before + most);
    const std::size_t written = write(symbols.data() + before);
    symbols.resize(before + written);
    if (written != 0) end_symbols();
  }

  /// Moves the last entry, if there is one, to `other`, replacing its records. Cost: a copy of that
  /// entry; none if it is the only one.
  void move_last_to(RecordBatch& other);
  /// Moves the records from number `first` on to `other`, replacing its records. Pre: neither
  /// qualities, bytes nor bases are kept; first > 0 or the batch does not continue a record. Cost:
  /// a copy of these records.
  void move_from(std::size_t first, RecordBatch& other);
  /// Removes the last record.
  void drop_last();
  /// Packs the bases that have come, and drops their symbols, but for those of the last record.
  void pack_bases(CpuPath path);

 private:
  static std::string_view piece(const std::string& all, const std::vector<std::uint64_t>& ends,
                                std::size_t i) {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(all).substr(begin, ends[i] - begin);
  }
  void end_symbols() {
    if (symbol_ends.empty()) continue_record();
    symbol_ends.back() = dropped + symbols.size();
  }
  void continue_record();
};

/// The comment of a header, given what follows the name: the blank that ends the name, and the
/// rest.
inline std::string_view comment_in(std::string_view after_name) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool usual = after_name.size() > 1 && after_name[0] == ' ' && !is_blank(after_name[1]);
  return after_name.substr(usual ? 1 : 0);
}

/// Fills a batch with the next records and numbers it, from 0; false if there are no more. Any
/// number of threads may call it. If it throws, the batch has the number of the one that could not
/// be filled. SequenceReader::next() is one.
using NextBatch = std::function<bool(RecordBatch&)>;

}  // namespace gsx

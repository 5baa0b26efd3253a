// A batch of sequence records as read: names, comments, raw symbols and qualities in flat buffers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "seq/line_map.hpp"

namespace gsx {

/// Records in input order. Entry i's symbols are the bytes of its sequence lines without line ends
/// and blanks, case kept; its name is the header up to the first blank, its comment the rest:
/// without the blank where that is a single space and something follows, else with it, so that a
/// comment begins with a blank only where the space must not be put back. A reader may split a long
/// record over batches: then `continues` is true, and entry 0 holds more symbols of the record that
/// was last in the previous batch and has no name.
struct RecordBatch {
  std::string symbols;
  std::string names;
  std::string comments;
  std::string qualities;  ///< as `symbols`, of FASTQ where they are kept; else empty
  std::vector<std::uint64_t> symbol_ends;  ///< [size()], half-open ends into `symbols`
  std::vector<std::uint64_t> name_ends;
  std::vector<std::uint64_t> comment_ends;
  std::uint64_t number = 0;        ///< of the batch in the whole input
  std::size_t file = 0;            ///< 0-based number of the file that holds the records
  std::uint64_t first_record = 0;  ///< 0-based number of entry 0 in the whole input
  bool continues = false;
  std::shared_ptr<const std::string> source;  ///< the file's name as messages give it
  std::uint64_t first_in_source = 1;          ///< 1-based number of entry 0 in its file
  std::size_t ending_bytes = 0;               ///< of each name, those that end_names has added
  bool keeps_qualities = false;               ///< whether a parser puts them here; outlives clear()
  LineMap lines;  ///< of the symbols; a reader that splits records keeps it

  std::size_t size() const { return symbol_ends.size(); }
  std::string_view sequence(std::size_t i) const { return piece(symbols, symbol_ends, i); }
  std::uint64_t length(std::size_t i) const {
    return symbol_ends[i] - (i == 0 ? 0 : symbol_ends[i - 1]);
  }
  std::string_view name(std::size_t i) const { return piece(names, name_ends, i); }
  /// The name without what end_names has added.
  std::string_view name_as_read(std::size_t i) const {
    const std::string_view all = name(i);
    return all.substr(0, all.size() - ending_bytes);
  }
  std::string_view comment(std::size_t i) const { return piece(comments, comment_ends, i); }
  /// One character per symbol, as the file has them; empty where there are none.
  std::string_view quality(std::size_t i) const {
    return qualities.empty() ? std::string_view() : piece(qualities, symbol_ends, i);
  }

  /// Forgets the records, keeps the memory.
  void clear();
  /// Opens an entry with no symbols yet.
  void begin_record(std::string_view name, std::string_view comment);
  /// Appends `ending` to every name.
  void end_names(std::string_view ending);
  /// Appends symbols to the last entry, which is opened as a continued one where there is none.
  void append(std::string_view more);

  /// Appends what `write` puts at its argument, where there is space for `most` symbols; it returns
  /// how many.
  template <class Write>
  void append_written(std::size_t most, const Write& write) {
    const std::size_t before = symbols.size();
    symbols.resize(before + most);
    const std::size_t written = write(symbols.data() + before);
    symbols.resize(before + written);
    if (written != 0) end_symbols();
  }

  /// Moves the last entry, if there is one, to `other`, whose records are forgotten.
  /// Cost: a copy of that entry, none when it is the only one.
  void move_last_to(RecordBatch& other);

 private:
  static std::string_view piece(const std::string& all, const std::vector<std::uint64_t>& ends,
                                std::size_t i) {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(all).substr(begin, ends[i] - begin);
  }
  void end_symbols() {
    if (symbol_ends.empty()) continue_record();
    symbol_ends.back() = symbols.size();
  }
  void continue_record();
};

/// Fills a batch with what comes next and numbers it from 0; false when there is no more. Any
/// number of threads may call it. When it throws, the batch has the number of the one that could
/// not be filled. SequenceReader::next does that.
using NextBatch = std::function<bool(RecordBatch&)>;

}  // namespace gsx

// A batch of sequence records as read: names, comments and raw symbols in three flat buffers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gsx {

/// Records in input order. Entry i's symbols are the bytes of its sequence lines without line ends
/// and blanks, case kept; its name is the header up to the first blank, its comment the rest.
/// A reader may split a long record over batches: then `continues` is true, entry 0 holds more
/// symbols of the record that was last in the previous batch, and repeats its name.
struct RecordBatch {
  std::string symbols;
  std::string names;
  std::string comments;
  std::vector<std::uint64_t> symbol_ends;  ///< [size()], half-open ends into `symbols`
  std::vector<std::uint64_t> name_ends;
  std::vector<std::uint64_t> comment_ends;
  std::uint64_t first_record = 0;  ///< 0-based number of entry 0 in the whole input
  bool continues = false;

  std::size_t size() const { return symbol_ends.size(); }
  std::string_view sequence(std::size_t i) const { return piece(symbols, symbol_ends, i); }
  std::string_view name(std::size_t i) const { return piece(names, name_ends, i); }
  std::string_view comment(std::size_t i) const { return piece(comments, comment_ends, i); }

  /// Forgets the records, keeps the memory.
  void clear();
  /// Opens an entry with no symbols yet; its symbols are then appended to `symbols` and
  /// symbol_ends.back() follows.
  void begin_record(std::string_view name, std::string_view comment);
  /// Appends symbols to the last entry.
  void append(std::string_view more);

 private:
  static std::string_view piece(const std::string& all, const std::vector<std::uint64_t>& ends,
                                std::size_t i) {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(all).substr(begin, ends[i] - begin);
  }
};

}  // namespace gsx

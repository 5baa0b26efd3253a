// The text model: what an index keeps of its input, record by record and symbol for symbol.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/export.hpp"
#include "base/packed.hpp"
#include "text/alphabet.hpp"
#include "text/letter_case.hpp"
#include "text/md5.hpp"
#include "text/source_files.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// A part of a record that is kept out of the text, between segments: one symbol repeated `length`
/// times, or `length` soft-masked bases.
struct Gap {
  std::uint64_t record;
  std::uint64_t offset;  ///< in the record
  std::uint64_t length;
  std::uint64_t source;  ///< below 256: the symbol; otherwise 256 + index of the first literal

  static constexpr std::uint64_t literal_base = 256;
  bool is_literal() const { return source >= literal_base; }
};
static_assert(sizeof(Gap) == 32);

/// The XXH3-128 of the XXH3-128 values of a record's pieces (text/record_checksum.hpp).
using RecordChecksum = std::array<std::uint8_t, 16>;

struct RecordInfo {
  std::uint64_t length;         ///< symbols of the record as read, gaps included
  std::uint64_t first_segment;  ///< its segments are [first_segment, next record's first_segment)
  std::uint64_t first_gap;
  RecordChecksum checksum;  ///< of the record as extract() gives it
};
static_assert(sizeof(RecordInfo) == 40);

/// Symbols [begin, end) of a record, counted from 0.
struct RecordRange {
  std::uint64_t record = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  friend auto operator<=>(const RecordRange&, const RecordRange&) = default;
};

/// Input symbols by class; for protein and bytes, all of them count as `base`.
struct SymbolCounts {
  std::uint64_t base = 0;
  std::uint64_t n = 0;
  std::uint64_t iupac = 0;
  std::uint64_t gap = 0;
  std::uint64_t other = 0;
  std::uint64_t lower_case = 0;  ///< lower-case symbols, of any class

  std::uint64_t ambiguous() const { return n + iupac + gap + other; }
  std::uint64_t total() const { return base + ambiguous(); }
};
static_assert(sizeof(SymbolCounts) == 48);

/// The starts of the segments, and a table that makes look-ups constant time on average.
class GSX_API Segments {
 public:
  Segments() : Segments(std::vector<std::uint64_t>{0}) {}
  /// `starts` as in SegmentsView, its last entry the length of the text.
  explicit Segments(std::vector<std::uint64_t> starts);
  SegmentsView view() const { return {starts_.data(), first_.data(), starts_.size() - 1, shift_}; }
  const std::vector<std::uint64_t>& starts() const { return starts_; }

 private:
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint64_t> first_;
  std::uint32_t shift_ = 0;
};

/// All that is known of the records except their symbols. Refers to a Text or to an index file.
struct RecordsView {
  std::span<const RecordInfo> infos;
  std::span<const std::uint64_t> segment_offsets;
  std::span<const std::uint64_t> segment_records;
  std::span<const Gap> gaps;
  PackedView literals;
  std::string_view names;
  std::string_view comments;
  std::span<const std::uint64_t> name_ends;
  std::span<const std::uint64_t> comment_ends;
  SourceFilesView files;  ///< empty unless they are kept

  std::uint64_t size() const { return infos.size(); }
  std::string_view name(std::uint64_t record) const { return piece(names, name_ends, record); }
  std::string_view comment(std::uint64_t record) const {
    return piece(comments, comment_ends, record);
  }

 private:
  static std::string_view piece(std::string_view all, std::span<const std::uint64_t> ends,
                                std::uint64_t i) {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return all.substr(begin, ends[i] - begin);
  }
};

/// A whole input, ready to be indexed. Built by TextBuilder.
struct Text {
  Alphabet alphabet;
  bool soft_mask_split = false;
  SymbolCounts counts;
  PackedArray symbols;                         ///< n codes of alphabet.bits() bits
  Segments segments;                           ///< m segments
  std::vector<std::uint64_t> segment_offsets;  ///< [m] offset of each segment in its record
  std::vector<std::uint64_t> segment_records;  ///< [m] record of each segment
  std::vector<RecordInfo> records;
  std::string names;     ///< of all records, one after another
  std::string comments;  ///< the rest of each header, one after another
  std::vector<std::uint64_t> name_ends;
  std::vector<std::uint64_t> comment_ends;
  std::vector<Gap> gaps;
  PackedArray literals;        ///< soft-masked bases, in order
  SourceFiles files;           ///< of the records; an index keeps them if they have names
  LetterCase letter_case;      ///< never kept under SymbolPolicy::bytes, which does not fold case
  bool checksummed = false;    ///< whether the records have checksums; see checksum_records()
  bool keeps_md5 = false;      ///< whether an index of the text stores MD5s
  bool names_by_file = false;  ///< whether records are named FILE#NAME; see read_text()
  bool whole_header = false;   ///< whether names are whole headers; see ReadTextOptions
  std::vector<Md5> md5s;       ///< of the records, if keeps_md5; see checksum_records_beside()

  std::uint64_t length() const { return symbols.size(); }
  TextView view() const { return {symbols.view(), segments.view(), alphabet.size()}; }
  RecordsView records_view() const {
    return {records, segment_offsets, segment_records, gaps,         literals.view(),
            names,   comments,        name_ends,       comment_ends, files.view()};
  }
};

}  // namespace gsx

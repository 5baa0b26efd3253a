// The sections of an index file: one table, by which it is written and read.
// lib/index/store/FORMAT.md has the same table for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrays/rank/quad_vector.hpp"
#include "base/bits.hpp"
#include "base/packed.hpp"
#include "index/fm/kmer_table.hpp"
#include "index/fm/row_sampling.hpp"
#include "index/store/format.hpp"

namespace gsx {

/// Sections, in the order of the table.
enum class Section : std::uint8_t {
  meta,
  symbols,
  records,
  names,
  name_ends,
  comments,
  comment_ends,
  segment_starts,
  segment_offsets,
  segment_records,
  gaps,
  literals,
  text,
  level0_blocks,
  level0_superblocks,
  level_blocks,
  level_superblocks,
  separator_rows,
  separator_segments,
  kmers,
  samples,
  case_runs,
  case_ends,
  md5,
  file_names,
  file_name_ends,
  file_record_ends,
  names_by_file,
  whole_header,
  name_hashes,
  name_records,
  page_sums,
  page_sum_sums,
};

/// A line of the table.
struct SectionKind {
  using Number = std::uint64_t (*)(const Meta&);

  Section section;
  std::string_view name;     ///< K stands for the number of a level from 1 on
  std::uint32_t item_bytes;  ///< 0: items are packed
  Number items;              ///< null: as many as the section has
  Number item_bits = nullptr;
  bool is_large =
      false;  ///< whether it grows with the text, and not only with records and segments
  bool is_optional = false;

  /// Pre: items is not null.
  std::uint64_t bytes(const Meta& meta) const {
    if (item_bytes != 0) return items(meta) * item_bytes;
    return PackedView::bytes_for(items(meta), static_cast<std::uint32_t>(item_bits(meta)));
  }
};

namespace section_numbers {

inline constexpr bool large = true, optional = true;
inline std::uint64_t one(const Meta&) {
  return 1;
}
inline std::uint64_t sigma(const Meta& meta) {
  return meta.sigma;
}
inline std::uint64_t records(const Meta& meta) {
  return meta.records;
}
inline std::uint64_t segments(const Meta& meta) {
  return meta.segments;
}
inline std::uint64_t starts(const Meta& meta) {
  return meta.segments + 1;
}
inline std::uint64_t gaps(const Meta& meta) {
  return meta.gaps;
}
inline std::uint64_t literals(const Meta& meta) {
  return meta.literals;
}
inline std::uint64_t length(const Meta& meta) {
  return meta.length;
}
inline std::uint64_t inner(const Meta& meta) {  // only level 0 has holes
  return meta.length - meta.segments;
}
template <SectionKind::Number size>
std::uint64_t blocks(const Meta& meta) {
  return QuadVector::block_count(size(meta));
}
template <SectionKind::Number size>
std::uint64_t superblocks(const Meta& meta) {
  return QuadVector::superblock_count(size(meta));
}
inline std::uint64_t bounds(const Meta& meta) {
  return kmer_bound_count(meta.sigma, meta.kmer_length);
}
inline std::uint64_t samples(const Meta& meta) {
  return RowSampling(meta.sample_rate).count(meta.length);
}
inline std::uint64_t two(const Meta&) {
  return 2;
}
inline std::uint64_t symbol_bits(const Meta& meta) {
  return bits_for(meta.sigma - 1);
}
inline std::uint64_t position_bits(const Meta& meta) {
  return bits_for(meta.length);
}
inline std::uint64_t segment_bits(const Meta& meta) {
  return bits_for(meta.segments);
}
inline std::uint64_t record_bits(const Meta& meta) {
  return bits_for(meta.records);
}

inline constexpr SectionKind kinds[] = {
    {Section::meta, "meta", sizeof(Meta), one},
    {Section::symbols, "symbols", 1, sigma},
    {Section::records, "records", sizeof(RecordInfo), records},
    {Section::names, "names", 1, nullptr},
    {Section::name_ends, "name_ends", 8, records},
    {Section::comments, "comments", 1, nullptr},
    {Section::comment_ends, "comment_ends", 8, records},
    {Section::segment_starts, "segment_starts", 8, starts},
    {Section::segment_offsets, "segment_offsets", 8, segments},
    {Section::segment_records, "segment_records", 8, segments},
    {Section::gaps, "gaps", sizeof(Gap), gaps},
    {Section::literals, "literals", 0, literals, two, large},
    {Section::text, "text", 0, length, symbol_bits, large},
    {Section::level0_blocks, "level0_blocks", sizeof(QuadBlock), blocks<length>, nullptr, large},
    {Section::level0_superblocks, "level0_superblocks", sizeof(QuadSuperblock), superblocks<length>,
     nullptr, large},
    {Section::level_blocks, "levelK_blocks", sizeof(QuadBlock), blocks<inner>, nullptr, large},
    {Section::level_superblocks, "levelK_superblocks", sizeof(QuadSuperblock), superblocks<inner>,
     nullptr, large},
    {Section::separator_rows, "separator_rows", 0, segments, position_bits},
    {Section::separator_segments, "separator_segments", 0, segments, segment_bits},
    {Section::kmers, "kmers", 0, bounds, position_bits, large},
    {Section::samples, "samples", 0, samples, position_bits, large},
    {Section::case_runs, "case_runs", sizeof(CaseRun), nullptr, nullptr, false, optional},
    {Section::case_ends, "case_ends", 8, records, nullptr, false, optional},
    {Section::md5, "md5", sizeof(Md5), records, nullptr, false, optional},
    {Section::file_names, "file_names", 1, nullptr, nullptr, false, optional},
    {Section::file_name_ends, "file_name_ends", 8, nullptr, nullptr, false, optional},
    {Section::file_record_ends, "file_record_ends", 8, nullptr, nullptr, false, optional},
    {Section::names_by_file, "names_by_file", 1, one, nullptr, false, optional},
    {Section::whole_header, "whole_header", 1, one, nullptr, false, optional},
    {Section::name_hashes, "name_hashes", 4, records, nullptr, false, optional},
    {Section::name_records, "name_records", 0, records, record_bits, false, optional},
    {Section::page_sums, "page_sums", 8, nullptr, nullptr, large, optional},
    {Section::page_sum_sums, "page_sum_sums", 8, nullptr, nullptr, false, optional},
};
static_assert([] {
  for (std::size_t i = 0; i < std::size(kinds); ++i)
    if (kinds[i].section != static_cast<Section>(i)) return false;
  return true;
}());

}  // namespace section_numbers

inline constexpr std::span<const SectionKind> section_table = section_numbers::kinds;

inline constexpr const SectionKind& kind_of(Section section) {
  return section_table[static_cast<std::size_t>(section)];
}

/// The name of a section in a file; `level` counts only for level_blocks and level_superblocks.
std::string name_of(Section section, std::uint32_t level = 0);

/// Whether a section of this name grows with the text; false for one that is not in the table.
bool is_large_section(std::string_view name);

/// One section of a file.
struct SectionPlace {
  Section section;
  std::uint32_t level;
};

/// All sections that an index may have, in the order of the file.
std::vector<SectionPlace> sections_in_order(const Meta& meta);

}  // namespace gsx

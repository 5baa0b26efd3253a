// The sections of an index file that describe its records.
#pragma once

#include <cstdint>
#include <span>

#include "index/store/section_table.hpp"
#include "index/store/sections.hpp"
#include "text/text.hpp"

namespace gsx {

/// All that a file knows of its records, but their symbols. Refers to its bytes.
struct RecordSections {
  RecordsView records;
  std::span<const std::uint64_t> segment_starts;  ///< [segments + 1]
  LetterCaseView letter_case;
  std::span<const Md5> md5s;  ///< empty if the file has none
};

/// The sections that record_sections_of() reads, as far as a file has them.
inline constexpr Section described_records[] = {
    Section::records,         Section::names,           Section::name_ends,
    Section::comments,        Section::comment_ends,    Section::segment_starts,
    Section::segment_offsets, Section::segment_records, Section::gaps,
    Section::case_runs,       Section::case_ends,       Section::md5,
    Section::file_names,      Section::file_name_ends,  Section::file_record_ends,
    Section::names_by_file,   Section::whole_header};

/// Throws CorruptIndexError if the tables do not fit one another, or if no input could give them:
/// after that, whatever is done with records is safe. Pre: `meta` is that of the file, which is in
/// order, and the caller checks the sums of the sections. Cost: one pass over them.
RecordSections record_sections_of(const SectionTable& table, const Meta& meta);

}  // namespace gsx

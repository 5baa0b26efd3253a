#include "index/store/record_sections.hpp"

#include <string>
#include <string_view>

#include "index/store/case_table.hpp"
#include "index/store/file_table.hpp"
#include "index/store/record_tables.hpp"
#include "index/store/section_views.hpp"
#include "records/symbol_scan.hpp"
#include "text/record_names.hpp"

namespace gsx {
namespace {

/// Reads them, and throws as record_sections_of().
class Reader {
 public:
  Reader(const SectionTable& table, const Meta& meta)
      : table_(table), meta_(meta), views_(table, meta) {}

  RecordSections read() {
    read_headers();
    read_segments();
    read_gaps();
    require_order();
    const RecordTables tables{found_.records, found_.segment_starts,
                              static_cast<SymbolPolicy>(meta_.policy), meta_.soft_mask_split == 1,
                              meta_.counts};
    if (const auto fault = fault_of(tables)) table_.corrupt(*fault);
    read_letter_case();
    if (table_.has(Section::md5)) found_.md5s = views_.array<Md5>(Section::md5);
    read_files();
    require_flag(Section::whole_header);
    return found_;
  }

 private:
  using Numbers = std::span<const std::uint64_t>;

  void require_ascending(Numbers values, std::uint64_t last, Section section) const {
    std::uint64_t previous = 0;
    for (const std::uint64_t value : values) {
      if (value < previous) table_.corrupt("section '" + name_of(section) + "' is not in order");
      previous = value;
    }
    if (previous != last)
      table_.corrupt("section '" + name_of(section) + "' does not end where it should");
  }

  void read_headers() {
    RecordsView& records = found_.records;
    records.infos = views_.array<RecordInfo>(Section::records);
    records.names = views_.characters(Section::names);
    records.comments = views_.characters(Section::comments);
    records.name_ends = views_.array<std::uint64_t>(Section::name_ends);
    records.comment_ends = views_.array<std::uint64_t>(Section::comment_ends);
    require_ascending(records.name_ends, records.names.size(), Section::name_ends);
    require_ascending(records.comment_ends, records.comments.size(), Section::comment_ends);
    for (const std::string_view headers : {records.names, records.comments}) {
      if (!is_header(headers) || headers.find('\n') != headers.npos)
        table_.corrupt("a header contains a line end");
    }
  }

  void read_segments() {
    RecordsView& records = found_.records;
    records.segment_offsets = views_.array<std::uint64_t>(Section::segment_offsets);
    records.segment_records = views_.array<std::uint64_t>(Section::segment_records);
    require_ascending(records.segment_records, records.segment_records.back(),
                      Section::segment_records);
    if (records.segment_records.back() >= meta_.records) table_.corrupt("a segment has no record");
    const Numbers starts = views_.array<std::uint64_t>(Section::segment_starts);
    require_ascending(starts, meta_.length, Section::segment_starts);
    for (std::size_t s = 0; s + 1 < starts.size(); ++s) {
      if (starts[s] >= starts[s + 1]) table_.corrupt("section 'segment_starts' is not in order");
    }
    if (starts[0] != 0) table_.corrupt("section 'segment_starts' does not begin at 0");
    found_.segment_starts = starts;
  }

  void read_gaps() {
    RecordsView& records = found_.records;
    records.gaps = views_.array<Gap>(Section::gaps);
    records.literals = views_.packed(Section::literals);
    for (const Gap& gap : records.gaps) {
      const std::uint64_t first = gap.source - Gap::literal_base;
      if (gap.is_literal() && (first > meta_.literals || gap.length > meta_.literals - first))
        table_.corrupt("a gap has no symbols");
      const auto symbol = static_cast<char>(gap.source);
      if (!gap.is_literal() && !all_symbols({&symbol, 1}))
        table_.corrupt("a gap has a wrong symbol");
    }
  }

  void require_order() const {
    std::uint64_t segment = 0, gap = 0;
    for (const RecordInfo& info : found_.records.infos) {
      if (info.first_segment < segment || info.first_segment > meta_.segments ||
          info.first_gap < gap || info.first_gap > meta_.gaps)
        table_.corrupt("section 'records' is not in order");
      segment = info.first_segment;
      gap = info.first_gap;
    }
  }

  void read_letter_case() {
    if (!table_.has(Section::case_runs)) return;
    LetterCaseView& letter_case = found_.letter_case;
    letter_case.kept = true;
    letter_case.runs = views_.array<CaseRun>(Section::case_runs);
    letter_case.ends = views_.array<std::uint64_t>(Section::case_ends);
    const auto fault = fault_of(letter_case, found_.records.infos, meta_.counts.lower_case);
    if (fault) table_.corrupt(*fault);
  }

  /// Throws if a section that says by being there that something is so is there and does not hold
  /// 1.
  void require_flag(Section section) const {
    if (!table_.has(section) || views_.array<std::uint8_t>(section)[0] == 1) return;
    table_.corrupt("section '" + name_of(section) + "' is not 1");
  }

  void read_files() {
    const bool some = table_.has(Section::file_names) || table_.has(Section::file_name_ends) ||
                      table_.has(Section::file_record_ends) || table_.has(Section::names_by_file);
    if (!some) return;
    const RecordsView& records = found_.records;
    SourceFilesView& files = found_.records.files;
    files.names = views_.characters(Section::file_names);
    files.name_ends = views_.array<std::uint64_t>(Section::file_name_ends);
    files.record_ends = views_.array<std::uint64_t>(Section::file_record_ends);
    if (const auto fault = fault_of(files, meta_.records)) table_.corrupt(*fault);
    if (!table_.has(Section::names_by_file)) return;
    require_flag(Section::names_by_file);
    for (std::uint64_t f = 0; f < files.size(); ++f) {
      const std::string prefix = file_prefix(files.name(f));
      for (std::uint64_t r = files.first_record(f); r < files.record_ends[f]; ++r)
        if (!records.name(r).starts_with(prefix))
          table_.corrupt("a record has not the name of its file in its own");
    }
  }

  const SectionTable& table_;
  const Meta& meta_;
  SectionViews views_;
  RecordSections found_;
};

}  // namespace

RecordSections record_sections_of(const SectionTable& table, const Meta& meta) {
  return Reader(table, meta).read();
}

}  // namespace gsx

#include "index/store/record_sections.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "index/store/file_table.hpp"
#include "index/store/section_views.hpp"
#include "records/symbol_scan.hpp"
#include "text/letter_case.hpp"
#include "text/record_checks.hpp"
#include "text/record_names.hpp"
#include "text/text.hpp"

namespace gsx {
namespace {

/// The record tables, and what they must agree with.
struct RecordTables {
  const RecordsView& records;
  std::span<const std::uint64_t> segment_starts;  ///< [segments + 1]
  SymbolPolicy policy;
  bool soft_mask_split;
  const SymbolCounts& counts;
};

/// Keeps sums of lengths within 64 bits, including those of bases kept out of the text.
constexpr std::uint64_t most_record_symbols = std::uint64_t{1} << 48;

class Check {
 public:
  explicit Check(const RecordTables& tables) : tables_(tables), records_(tables.records) {}

  std::optional<std::string> run() {
    for (std::uint64_t r = 0; r < records_.size(); ++r) {
      if (!is_tiled(r)) {
        return "the tables of record " + std::to_string(r + 1) + " do not fit one another";
      }
    }
    const SymbolCounts& told = tables_.counts;
    const bool agree = told.base == found_.base && told.n == found_.n &&
                       told.iupac == found_.iupac && told.gap == found_.gap &&
                       told.other == found_.other && literals_ == records_.literals.size;
    if (!agree) return "its counts of symbols are not those of its records";
    return std::nullopt;
  }

 private:
  bool is_tiled(std::uint64_t r) {
    const bool last = r + 1 == records_.size();
    const std::uint64_t segments_end =
        last ? records_.segment_offsets.size() : records_.infos[r + 1].first_segment;
    const std::uint64_t gaps_end = last ? records_.gaps.size() : records_.infos[r + 1].first_gap;
    if (records_.infos[r].first_segment != segment_ || records_.infos[r].first_gap != gap_) {
      return false;
    }
    std::uint64_t at = 0;
    bool after_segment = false;
    const Gap* before = nullptr;
    while (segment_ < segments_end || gap_ < gaps_end) {
      std::uint64_t length = 0;
      if (segment_ < segments_end && records_.segment_offsets[segment_] == at &&
          records_.segment_records[segment_] == r) {
        if (after_segment) return false;
        length = tables_.segment_starts[segment_ + 1] - 1 - tables_.segment_starts[segment_];
        found_.base += length;
        ++segment_;
        after_segment = true;
        before = nullptr;
      } else if (gap_ < gaps_end && records_.gaps[gap_].offset == at &&
                 records_.gaps[gap_].record == r) {
        const Gap& gap = records_.gaps[gap_];
        length = gap.length;
        if (length > most_length(gap) || !is_possible(gap, before)) return false;
        count(gap);
        ++gap_;
        after_segment = false;
        before = &gap;
      }
      if (length == 0 || length > most_record_symbols - total_) return false;
      at += length;
      total_ += length;
    }
    return at == records_.infos[r].length;
  }

  std::uint64_t most_length(const Gap& gap) const {
    return gap.is_literal() ? most_record_symbols - total_ : most_unstored - unstored_;
  }

  /// Whether a reader could make such a gap, directly after `before` if that is not null.
  bool is_possible(const Gap& gap, const Gap* before) const {
    if (tables_.policy != SymbolPolicy::dna) return false;
    if (gap.is_literal()) {
      return tables_.soft_mask_split && gap.source - Gap::literal_base == literals_ &&
             (before == nullptr || !before->is_literal());
    }
    const auto symbol = static_cast<char>(gap.source);
    return dna_class(symbol) != SymbolClass::base && to_upper(symbol) == symbol &&
           (before == nullptr || before->source != gap.source);
  }

  void count(const Gap& gap) {
    if (gap.is_literal()) {
      literals_ += gap.length;
      found_.base += gap.length;
      return;
    }
    unstored_ += gap.length;
    switch (dna_class(static_cast<char>(gap.source))) {
      case SymbolClass::n:
        found_.n += gap.length;
        break;
      case SymbolClass::iupac:
        found_.iupac += gap.length;
        break;
      case SymbolClass::gap:
        found_.gap += gap.length;
        break;
      default:
        found_.other += gap.length;
    }
  }

  const RecordTables& tables_;
  const RecordsView& records_;
  std::uint64_t segment_ = 0;
  std::uint64_t gap_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t literals_ = 0;
  std::uint64_t unstored_ = 0;  ///< symbols of the other gaps
  SymbolCounts found_;
};

/// What is wrong with the tables; none if they could be those of a text. Segments and gaps must lie
/// end to end in each record. No two segments may touch: a match across their border would be
/// missed. Gaps must hold what the alphabet does not, each as one run. Soft-masked bases may be
/// there only if they are kept out of the text, and `counts` must be the sums. Pre: segment_starts
/// ascends strictly, the first segments and gaps of the records are in order, and gaps of literals
/// lie within the literals. Cost: one step per record, segment and gap.
std::optional<std::string> fault_of(const RecordTables& tables) {
  return Check(tables).run();
}

/// Why the runs cannot belong to these records, `lower_case` symbols of which are lower case; none
/// if they can. After this check, restore_case() is safe. Cost: one pass over the runs.
std::optional<std::string> fault_of(const LetterCaseView& letter_case,
                                    std::span<const RecordInfo> records, std::uint64_t lower_case) {
  const auto& [kept, runs, ends] = letter_case;
  std::uint64_t next = 0, total = 0;
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    bool right = ends[r] >= next && ends[r] <= runs.size();
    std::uint64_t least = 0;  // the least position at which the next run may begin
    for (; right && next < ends[r]; ++next) {
      right = runs[next].begin >= least && runs[next].begin < runs[next].end &&
              runs[next].end <= records[r].length;
      least = runs[next].end + 1;
      total += runs[next].end - runs[next].begin;
    }
    if (!right) return "the lower-case runs of record " + std::to_string(r + 1) + " do not fit it";
  }
  if (next != runs.size()) return "it has lower-case runs that belong to no record";
  if (total != lower_case)
    return "its lower-case runs do not add up to its count of lower-case symbols";
  return std::nullopt;
}

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

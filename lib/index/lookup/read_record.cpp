// Gives symbols of a record from checked parts of the tables and the text of an index file.
#include "base/error.hpp"
#include "index/lookup/file_lookup.hpp"
#include "records/symbol_scan.hpp"
#include "text/extract.hpp"
#include "text/record_checks.hpp"

namespace gsx {
namespace {

/// The first of the elements [low, high) for which is_behind(i) holds, which then holds for all
/// after it; `high` if there is none.
template <class IsBehind>
std::uint64_t first_behind(std::uint64_t low, std::uint64_t high, const IsBehind& is_behind) {
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (is_behind(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Elements [begin, end) of a table.
struct Range {
  std::uint64_t begin, end;
};

/// Of the elements of a record, which begin at ascending offsets, those that may have some of its
/// symbols [begin, end).
template <class OffsetOf>
Range overlapping(Range of_record, std::uint64_t begin, std::uint64_t end,
                  const OffsetOf& offset_of) {
  Range range;
  range.end = first_behind(of_record.begin, of_record.end,
                           [&](std::uint64_t i) { return offset_of(i) >= end; });
  range.begin = first_behind(of_record.begin, range.end,
                             [&](std::uint64_t i) { return offset_of(i) > begin; });
  if (range.begin > of_record.begin) --range.begin;
  return range;
}

}  // namespace

/// What has the symbols of a part of a record, as a text of this one record.
struct FileLookup::Part {
  RecordInfo info{};
  RecordsView records;
  TextView text;
};

FileLookup::Part FileLookup::part_of(std::uint64_t record, std::uint64_t begin,
                                     std::uint64_t end) const {
  const bool last = record + 1 == size();
  const RecordInfo info = infos_[record];
  const Range all_segments{info.first_segment,
                           last ? meta_.segments : infos_[record + 1].first_segment};
  const Range all_gaps{info.first_gap, last ? meta_.gaps : infos_[record + 1].first_gap};
  const bool in_order = all_segments.begin <= all_segments.end &&
                        all_segments.end <= meta_.segments && all_gaps.begin <= all_gaps.end &&
                        all_gaps.end <= meta_.gaps;
  if (!in_order) refuse_record(record);
  const Range segments =
      overlapping(all_segments, begin, end, [&](std::uint64_t s) { return segment_offsets_[s]; });
  const Range gaps =
      overlapping(all_gaps, begin, end, [&](std::uint64_t g) { return gaps_[g].offset; });

  Part part;
  part.info.length = info.length;
  part.records.segment_offsets = segment_offsets_.part(segments.begin, segments.end);
  part.records.gaps = gaps_.part(gaps.begin, gaps.end);
  part.text.sigma = meta_.sigma;
  const std::uint64_t count = segments.end - segments.begin;
  const auto starts = segment_starts_.part(segments.begin, segments.end + (count == 0 ? 0 : 1));
  part.text.segments.starts = starts.data();
  part.text.segments.count = count;
  for (std::uint64_t s = 0; s < count; ++s) {
    const std::uint64_t offset = part.records.segment_offsets[s];
    if (starts[s] >= starts[s + 1] || starts[s + 1] > meta_.length || offset > info.length ||
        starts[s + 1] - 1 - starts[s] > info.length - offset)
      refuse_record(record);
    // Of these symbols, those that are asked for.
    const std::uint64_t stop = offset + (starts[s + 1] - 1 - starts[s]);
    const std::uint64_t from = std::max(begin, offset), to = std::min(end, stop);
    if (from < to)
      part.text.symbols = symbols_.part(starts[s] + (from - offset), starts[s] + (to - offset));
  }
  for (const Gap& gap : part.records.gaps) {
    if (gap.offset > info.length || gap.length > info.length - gap.offset) refuse_record(record);
    const std::uint64_t from = std::max(begin, gap.offset);
    const std::uint64_t to = std::min(end, gap.offset + gap.length);
    if (gap.is_literal()) {
      const std::uint64_t first = gap.source - Gap::literal_base;
      if (first > meta_.literals || gap.length > meta_.literals - first)
        corrupt("a gap has no symbols");
      if (from < to)
        part.records.literals =
            literals_.part(first + (from - gap.offset), first + (to - gap.offset));
      continue;
    }
    const auto symbol = static_cast<char>(gap.source);
    if (!all_symbols({&symbol, 1})) corrupt("a gap has a wrong symbol");
    if (gap.length > most_unstored) refuse_record(record);
  }
  return part;
}

void FileLookup::read(std::uint64_t record, std::uint64_t begin, std::uint64_t end, bool keep_case,
                      std::string& out) const {
  if (begin == end) return;
  if (all_) return read_of_all(record, begin, end, keep_case, out);
  Part part = part_of(record, begin, end);
  part.records.infos = {&part.info, 1};
  const std::size_t before = out.size();
  try {
    extract(part.text, part.records, alphabet_, 0, begin, end, out);
  } catch (const CorruptIndexError&) {  // which knows no number of the record
    refuse_record(record);
  }
  char* const symbols = out.data() + before;
  if (!keep_case) return;
  if (case_ends_.size() != 0) {
    restore_letters(record, begin, symbols, end - begin);
  } else {
    lower_masked_bases(part.records, 0, begin, symbols, end - begin);
  }
}

void FileLookup::read_of_all(std::uint64_t record, std::uint64_t begin, std::uint64_t end,
                             bool keep_case, std::string& out) const {
  const std::size_t before = out.size();
  TextView text;
  text.symbols = symbols_.part(0, 0);
  text.segments.starts = all_->segment_starts.data();
  text.sigma = meta_.sigma;
  extract(text, all_->records, alphabet_, record, begin, end, out);
  if (!keep_case) return;
  if (all_->letter_case.kept) {
    restore_case(all_->letter_case, record, begin, out.data() + before, end - begin);
  } else {
    lower_masked_bases(all_->records, record, begin, out.data() + before, end - begin);
  }
}

void FileLookup::restore_letters(std::uint64_t record, std::uint64_t begin, char* symbols,
                                 std::uint64_t count) const {
  const std::uint64_t first = record == 0 ? 0 : case_ends_[record - 1], last = case_ends_[record];
  if (first > last || last > case_runs_.size()) refuse_record(record);
  const Range runs{
      first_behind(first, last, [&](std::uint64_t i) { return case_runs_[i].end > begin; }),
      first_behind(first, last,
                   [&](std::uint64_t i) { return case_runs_[i].begin >= begin + count; })};
  if (runs.begin >= runs.end) return;
  LetterCaseView view;
  view.runs = case_runs_.part(runs.begin, runs.end);
  std::uint64_t least = 0;
  for (const CaseRun& run : view.runs) {
    if (run.begin < least || run.begin >= run.end) refuse_record(record);
    least = run.end;
  }
  const std::uint64_t ends[] = {view.runs.size()};
  view.ends = ends;
  restore_case(view, 0, begin, symbols, count);
}

}  // namespace gsx

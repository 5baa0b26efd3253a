// Which letters of the records were lower case: kept beside a text that folds case.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gsx {

/// Symbols [begin, end) of a record, all of them lower-case letters, and neither neighbour is one.
struct CaseRun {
  std::uint64_t begin;
  std::uint64_t end;
  bool operator==(const CaseRun&) const = default;
};
static_assert(sizeof(CaseRun) == 16);

/// The runs of all records, in order; refers to a LetterCase or to an index file.
struct LetterCaseView {
  bool kept = false;  ///< whether the case is known
  std::span<const CaseRun> runs;
  std::span<const std::uint64_t> ends;  ///< [records] where those of a record end

  std::span<const CaseRun> of(std::uint64_t record) const {
    const std::uint64_t begin = record == 0 ? 0 : ends[record - 1];
    return runs.subspan(begin, ends[record] - begin);
  }
};

/// Price: 16 bytes a run and 8 a record; nothing where the case is not kept.
struct LetterCase {
  bool kept = false;
  std::vector<CaseRun> runs;
  std::vector<std::uint64_t> ends;

  LetterCaseView view() const { return {kept, runs, ends}; }
};

/// Makes the letters lower case that were: `symbols` are `count` of a record, from `begin` on.
/// Cost: a binary search among the record's runs, and O(count).
void restore_case(const LetterCaseView& letter_case, std::uint64_t record, std::uint64_t begin,
                  char* symbols, std::uint64_t count);

}  // namespace gsx

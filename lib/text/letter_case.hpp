// Which letters of the records were lower case, for texts that fold case.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/export.hpp"

namespace gsx {

/// A maximal run of lower-case letters: symbols [begin, end) of a record.
struct CaseRun {
  std::uint64_t begin;
  std::uint64_t end;
  bool operator==(const CaseRun&) const = default;
};
static_assert(sizeof(CaseRun) == 16);

/// The runs of all records, in order. Refers to a LetterCase or to an index file.
struct LetterCaseView {
  bool kept = false;  ///< whether the case is known
  std::span<const CaseRun> runs;
  std::span<const std::uint64_t> ends;  ///< [records] end of each record's runs

  std::span<const CaseRun> of(std::uint64_t record) const {
    const std::uint64_t begin = record == 0 ? 0 : ends[record - 1];
    return runs.subspan(begin, ends[record] - begin);
  }
};

/// Owns the runs. Memory: 16 bytes per run and 8 per record; none where the case is not kept.
struct LetterCase {
  bool kept = false;
  std::vector<CaseRun> runs;
  std::vector<std::uint64_t> ends;

  LetterCaseView view() const { return {kept, runs, ends}; }
};

/// Turns the letters that were lower case to lower case again. `symbols` holds `count` symbols of a
/// record, from `begin` on. Cost: O(count), and a binary search among the record's runs.
GSX_API void restore_case(const LetterCaseView& letter_case, std::uint64_t record,
                          std::uint64_t begin, char* symbols, std::uint64_t count);

}  // namespace gsx

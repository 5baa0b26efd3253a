#include "index/store/case_table.hpp"

namespace gsx {

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

}  // namespace gsx

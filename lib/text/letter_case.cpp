#include "text/letter_case.hpp"

#include <algorithm>

#include "text/alphabet.hpp"

namespace gsx {

void restore_case(const LetterCaseView& letter_case, std::uint64_t record, std::uint64_t begin,
                  char* symbols, std::uint64_t count) {
  const std::span<const CaseRun> runs = letter_case.of(record);
  const std::uint64_t end = begin + count;
  auto run =
      std::upper_bound(runs.begin(), runs.end(), begin,
                       [](std::uint64_t at, const CaseRun& other) { return at < other.end; });
  for (; run != runs.end() && run->begin < end; ++run) {
    char* const last = symbols + (std::min(run->end, end) - begin);
    for (char* at = symbols + (std::max(run->begin, begin) - begin); at != last; ++at)
      *at = to_lower(*at);
  }
}

}  // namespace gsx

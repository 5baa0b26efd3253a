// Occurrences of patterns, found by looking everywhere.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "gsx/search.hpp"

namespace gsx::testing {

/// The occurrences of a pattern over A C G T in records, as locate() gives them.
inline std::vector<Occurrence> scan(const std::vector<std::string>& records,
                                    const std::string& pattern) {
  std::string reverse(pattern.rbegin(), pattern.rend());
  for (char& c : reverse)
    c = c == 'A' ? 'T' : c == 'T' ? 'A' : c == 'C' ? 'G' : c == 'G' ? 'C' : c;
  std::vector<Occurrence> found;
  if (pattern.empty()) return found;
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    for (const bool is_reverse : {false, true}) {
      const std::string& sought = is_reverse ? reverse : pattern;
      for (auto at = records[r].find(sought); at != std::string::npos;
           at = records[r].find(sought, at + 1))
        found.push_back({r, at, at + pattern.size(), is_reverse});
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// The text of records that are named r0, r1, ..., made by the public function.
inline Text text_of_records(const std::vector<std::string>& records) {
  std::vector<Sequence> sequences;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < records.size(); ++i)
    names.push_back("r" + std::to_string(i));
  for (std::size_t i = 0; i < records.size(); ++i)
    sequences.push_back({names[i], records[i], "of a test"});
  return gsx::make_text(sequences);
}

}  // namespace gsx::testing

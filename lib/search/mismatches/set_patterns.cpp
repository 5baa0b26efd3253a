#include "search/mismatches/set_patterns.hpp"

#include <algorithm>

namespace gsx {

void SetPatternBuffer::add(std::span<const BaseSet> pattern) {
  sets_.insert(sets_.end(), pattern.begin(), pattern.end());
  ends_.push_back(sets_.size());
  note_plain();
}

void SetPatternBuffer::add(std::string_view letters, bool iupac) {
  const std::size_t begin = sets_.size();
  sets_.resize(begin + letters.size());
  encode_base_sets(letters, iupac, sets_.data() + begin);
  ends_.push_back(sets_.size());
  note_plain();
}

void SetPatternBuffer::encode(std::string_view letters, std::span<const std::uint64_t> ends,
                              bool iupac) {
  sets_.resize(letters.size());
  encode_base_sets(letters, iupac, sets_.data());
  ends_.assign(ends.begin(), ends.end());
  plain_.clear();
  while (plain_.size() < ends_.size())
    note_plain();
}

/// Looks at the first pattern that has not been looked at.
void SetPatternBuffer::note_plain() {
  const std::size_t i = plain_.size();
  const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
  plain_.push_back(is_plain(std::span(sets_).subspan(begin, ends_[i] - begin)) ? 1 : 0);
}

std::vector<BaseSet> reverse_complement_of(std::span<const BaseSet> pattern) {
  std::vector<BaseSet> other(pattern.size());
  std::transform(pattern.rbegin(), pattern.rend(), other.begin(),
                 [](BaseSet set) { return complement_of(set); });
  return other;
}

bool can_be_asked(std::span<const BaseSet> pattern, std::uint32_t mismatches) {
  return pattern.size() > mismatches &&
         !std::all_of(pattern.begin(), pattern.end(), [](BaseSet set) { return is_any(set); });
}

}  // namespace gsx

#include "search/mismatches/set_patterns.hpp"

#include <algorithm>

namespace gsx {
void SetPatternBuffer::add(std::span<const BaseSet> pattern) {
  sets_.insert(sets_.end(), pattern.begin(), pattern.end());
  ends_.push_back(sets_.size());
}

void SetPatternBuffer::add(std::string_view letters, bool iupac) {
  const std::size_t begin = sets_.size();
  sets_.resize(begin + letters.size());
  encode_base_sets(letters, iupac, sets_.data() + begin);
  ends_.push_back(sets_.size());
}

void SetPatternBuffer::encode(std::string_view letters, std::span<const std::uint64_t> ends,
                              bool iupac) {
  sets_.resize(letters.size());
  encode_base_sets(letters, iupac, sets_.data());
  ends_.assign(ends.begin(), ends.end());
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

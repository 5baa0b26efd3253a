#include "scan/set_patterns.hpp"

#include <algorithm>

namespace gsx {
namespace {

BaseSet set_of(char letter, bool iupac) {
  return iupac ? iupac_base_set(letter) : plain_base_set(letter);
}

}  // namespace

void SetPatternBuffer::add(std::span<const BaseSet> pattern) {
  sets_.insert(sets_.end(), pattern.begin(), pattern.end());
  ends_.push_back(sets_.size());
}

void SetPatternBuffer::add(std::string_view letters, bool iupac) {
  for (const char letter : letters)
    sets_.push_back(set_of(letter, iupac));
  ends_.push_back(sets_.size());
}

void SetPatternBuffer::encode(std::string_view letters, std::span<const std::uint64_t> ends,
                              bool iupac) {
  sets_.resize(letters.size());
  std::transform(letters.begin(), letters.end(), sets_.begin(),
                 [iupac](char letter) { return set_of(letter, iupac); });
  ends_.assign(ends.begin(), ends.end());
}

std::vector<BaseSet> reverse_complement_of(std::span<const BaseSet> pattern) {
  std::vector<BaseSet> other(pattern.size());
  std::transform(pattern.rbegin(), pattern.rend(), other.begin(),
                 [](BaseSet set) { return complement_of(set); });
  return other;
}

bool can_be_asked(std::span<const BaseSet> pattern, std::uint32_t mismatches) {
  const auto says_something = [](BaseSet set) { return (set & base_sets::any) != base_sets::any; };
  return pattern.size() > mismatches && std::any_of(pattern.begin(), pattern.end(), says_something);
}

}  // namespace gsx

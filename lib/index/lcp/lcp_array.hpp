// The LCP array: how much each suffix has in common with the one in the row before.
#pragma once

#include "index/lcp/small_numbers.hpp"

namespace gsx {

/// The LCP array of a text of n symbols. Entry r is the length of the longest common prefix of the
/// suffixes in rows r - 1 and r of the suffix array; entry 0 is 0. Separators are all different, so
/// no common prefix holds one, and the entries of their rows are 0.
class LcpArray : public SmallNumbers {
 public:
  using SmallNumbers::SmallNumbers;
  explicit LcpArray(SmallNumbers numbers) : SmallNumbers(std::move(numbers)) {}
};

}  // namespace gsx

#include "index/sa/inverse.hpp"

#include <algorithm>
#include <string>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

template <class Pos>
Buffer<Pos> inverse_of(const Pos* sa, std::uint64_t count, int threads) {
  constexpr std::uint64_t task = std::uint64_t{1} << 16;
  Buffer<Pos> inverse(count, "inverse suffix array");
  parallel_for(threads, divide_up(count, task), [&](std::uint64_t t, int) {
    const std::uint64_t end = std::min(count, (t + 1) * task);
    for (std::uint64_t row = t * task; row < end; ++row) {
      if (sa[row] >= count) {
        throw UsageError("row " + std::to_string(row) + " of a suffix array of " +
                         std::to_string(count) + " rows holds position " + std::to_string(sa[row]) +
                         ": only a whole suffix array has an inverse");
      }
      inverse[sa[row]] = static_cast<Pos>(row);
    }
  });
  return inverse;
}

}  // namespace

InverseSuffixArray invert(const SuffixArray& sa, int threads) {
  return sa.visit([&](const auto* entries) {
    return InverseSuffixArray(inverse_of(entries, sa.size(), threads));
  });
}

}  // namespace gsx

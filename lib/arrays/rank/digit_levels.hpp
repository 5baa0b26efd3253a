// The levels of a wavelet matrix, from codes in memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "arrays/rank/quad_vector.hpp"
#include "base/buffer.hpp"
#include "base/parallel.hpp"

namespace gsx {

namespace detail {

constexpr std::uint64_t codes_per_task = std::uint64_t{1} << 16;

/// Sorts the first `size` codes stably by the two bits at `shift` into `sorted` and drops holes.
/// Returns the number of codes left.
template <class Code, class IsHole>
std::uint64_t sort_by_digit(const Buffer<Code>& codes, std::uint64_t size, std::uint32_t shift,
                            const IsHole& is_hole, Buffer<Code>& sorted, int threads) {
  const std::uint64_t tasks = (size + codes_per_task - 1) / codes_per_task;
  std::vector<std::array<std::uint64_t, 4>> next(tasks);
  const auto for_each_code = [&](std::uint64_t task, auto&& visit) {
    const std::uint64_t end = std::min(size, (task + 1) * codes_per_task);
    for (std::uint64_t i = task * codes_per_task; i < end; ++i) {
      if (!is_hole(codes[i])) visit(codes[i], codes[i] >> shift & 3);
    }
  };
  parallel_for(threads, tasks, [&](std::uint64_t task, int) {
    next[task] = {};
    for_each_code(task, [&](Code, auto digit) { ++next[task][digit]; });
  });
  std::uint64_t total = 0;
  for (std::size_t digit = 0; digit < 4; ++digit) {
    for (auto& counts : next)
      total += std::exchange(counts[digit], total);
  }
  parallel_for(threads, tasks, [&](std::uint64_t task, int) {
    for_each_code(task, [&](Code code, auto digit) { sorted[next[task][digit]++] = code; });
  });
  return total;
}

}  // namespace detail

/// `count` levels of codes of as many digits, the highest digit first. Takes and frees `codes`.
/// Level k holds size_of(k, n) codes, the first of those that the level above has once it is sorted
/// by its digit; n is how many these are. is_hole(code) says which codes are left out behind the
/// first level. Cost: two passes per level. Memory: another copy of the codes if there are several
/// levels. Throws ResourceError.
template <class Code, class IsHole, class LevelSize>
std::vector<QuadVector> build_digit_levels(Buffer<Code> codes, std::uint32_t count,
                                           const IsHole& is_hole, const LevelSize& size_of,
                                           int threads) {
  std::uint64_t size = codes.size();
  Buffer<Code> sorted(count > 1 ? size : 0, "symbols of a wavelet matrix");
  std::vector<QuadVector> levels;
  levels.reserve(count);
  for (std::uint32_t level = 0; level < count; ++level) {
    if (level + 1 == count) sorted = {};
    const std::uint32_t shift = 2 * (count - 1 - level);
    levels.emplace_back(
        size,
        [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
          for (std::uint64_t i = begin; i < end; ++i) {
            out[i - begin] = is_hole(codes[i]) ? QuadVector::hole
                                               : static_cast<std::uint8_t>(codes[i] >> shift & 3);
          }
        },
        threads);
    if (level + 1 == count) break;
    size = size_of(level + 1, detail::sort_by_digit(codes, size, shift, is_hole, sorted, threads));
    std::swap(codes, sorted);
  }
  return levels;
}

}  // namespace gsx

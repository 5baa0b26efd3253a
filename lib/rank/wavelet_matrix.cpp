#include "rank/wavelet_matrix.hpp"

#include <algorithm>
#include <array>

#include "base/parallel.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t codes_per_task = std::uint64_t{1} << 16;

/// Sorts `codes` stably by the two bits at `shift` into `sorted` and drops holes. Returns the
/// number of codes left.
std::uint64_t sort_by_digit(const Buffer<std::uint8_t>& codes, std::uint64_t size,
                            std::uint32_t shift, Buffer<std::uint8_t>& sorted, int threads) {
  const std::uint64_t tasks = (size + codes_per_task - 1) / codes_per_task;
  std::vector<std::array<std::uint64_t, 4>> next(tasks);
  const auto for_each_code = [&](std::uint64_t task, auto&& visit) {
    const std::uint64_t end = std::min(size, (task + 1) * codes_per_task);
    for (std::uint64_t i = task * codes_per_task; i < end; ++i) {
      if (codes[i] != QuadVector::hole) visit(codes[i], codes[i] >> shift & 3);
    }
  };
  parallel_for(threads, tasks, [&](std::uint64_t task, int) {
    next[task] = {};
    for_each_code(task, [&](std::uint8_t, int digit) { ++next[task][digit]; });
  });
  std::uint64_t total = 0;
  for (std::size_t digit = 0; digit < 4; ++digit) {
    for (auto& counts : next)
      total += std::exchange(counts[digit], total);
  }
  parallel_for(threads, tasks, [&](std::uint64_t task, int) {
    for_each_code(task, [&](std::uint8_t code, int digit) { sorted[next[task][digit]++] = code; });
  });
  return total;
}

}  // namespace

WaveletMatrix::WaveletMatrix(std::uint64_t size, std::uint32_t bits, const CodesAt& codes_at,
                             int threads) {
  const std::uint32_t count = level_count(bits);
  if (count == 1) {
    levels_.emplace_back(size, codes_at, threads);
    return;
  }
  Buffer<std::uint8_t> codes(size, "symbols of the BWT");
  const std::uint64_t tasks = (size + codes_per_task - 1) / codes_per_task;
  parallel_for(threads, tasks, [&](std::uint64_t task, int) {
    const std::uint64_t begin = task * codes_per_task;
    codes_at(begin, std::min(size, begin + codes_per_task), codes.data() + begin);
  });
  add_levels(std::move(codes), count, threads);
}

WaveletMatrix::WaveletMatrix(Buffer<std::uint8_t> codes, std::uint32_t bits, int threads) {
  const std::uint32_t count = level_count(bits);
  if (count > 1) {
    add_levels(std::move(codes), count, threads);
    return;
  }
  // Move the codes to a local: a parameter may live until the end of the caller's full expression.
  const Buffer<std::uint8_t> digits(std::move(codes));
  levels_.emplace_back(
      digits.size(),
      [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
        std::copy(digits.data() + begin, digits.data() + end, out);
      },
      threads);
}

void WaveletMatrix::add_levels(Buffer<std::uint8_t> codes, std::uint32_t count, int threads) {
  std::uint64_t size = codes.size();
  Buffer<std::uint8_t> sorted(size, "symbols of the BWT");
  levels_.reserve(count);
  for (std::uint32_t level = 0; level < count; ++level) {
    if (level + 1 == count) sorted = {};
    const std::uint32_t shift = 2 * (count - 1 - level);
    levels_.emplace_back(
        size,
        [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
          for (std::uint64_t i = begin; i < end; ++i) {
            out[i - begin] = codes[i] == QuadVector::hole
                                 ? QuadVector::hole
                                 : static_cast<std::uint8_t>(codes[i] >> shift & 3);
          }
        },
        threads);
    if (level + 1 == count) break;
    size = sort_by_digit(codes, size, shift, sorted, threads);
    std::swap(codes, sorted);
  }
}

WaveletMatrixView WaveletMatrix::view() const {
  WaveletMatrixView view;
  view.level_count = static_cast<std::uint32_t>(levels_.size());
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    view.levels[level] = levels_[level].view();
  }
  return view;
}

}  // namespace gsx

#include "arrays/rank/wavelet_matrix.hpp"

#include <algorithm>

#include "arrays/rank/digit_levels.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t codes_per_task = std::uint64_t{1} << 16;

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
  levels_ = build_digit_levels(
      std::move(codes), count, [](std::uint8_t code) { return code == QuadVector::hole; },
      [](std::uint32_t, std::uint64_t above) { return above; }, threads);
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

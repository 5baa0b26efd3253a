#include "index/lcp/small_numbers.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace gsx {

SmallNumbers::SmallNumbers(Buffer<std::uint8_t> bytes, PositionArray large, int threads)
    : bytes_(std::move(bytes)),
      before_(bytes_.size() / SmallNumbersView<std::uint32_t>::block + 1, "large numbers"),
      large_(std::move(large)) {
  using View = SmallNumbersView<std::uint32_t>;
  const std::uint64_t slices = static_cast<std::uint64_t>(threads) * 4;
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(before_.size(), slices, s);
    for (std::uint64_t b = slice.begin; b < slice.end; ++b) {
      const std::uint64_t first = b * View::block;
      const std::uint8_t* begin = bytes_.data() + first;
      const std::uint8_t* end = begin + std::min(View::block, bytes_.size() - first);
      before_[b] = static_cast<std::uint64_t>(std::count(begin, end, View::escape));
    }
  });
  std::uint64_t total = 0;
  for (std::uint64_t& count : before_)
    total += std::exchange(count, total);
}

std::uint64_t SmallNumbers::largest() const {
  if (large_.size() == 0) return bytes_.size() == 0 ? 0 : *std::ranges::max_element(bytes_);
  return large_.visit([&](const auto* large) -> std::uint64_t {
    return *std::max_element(large, large + large_.size());
  });
}

}  // namespace gsx

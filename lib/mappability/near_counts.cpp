#include "mappability/near_counts.hpp"

#include <cstring>

namespace gsx {

NearCounts::NearCounts(const FrequencyCodes& exact, std::uint64_t k, std::uint64_t cap, int threads)
    : exact_(exact),
      size_(exact.size()),
      may_halve_(k % 2 == 0),
      cap_(cap),
      threads_(threads),
      steps_(size_ + 1, "near k-mers"),
      open_((size_ + 63) / 64, "near k-mers") {
  std::memset(steps_.data(), 0, steps_.bytes());
  std::memset(open_.data(), 0, open_.bytes());
  close_full();
}

void NearCounts::close_full() {
  static_assert(block % 64 == 0, "threads write words of their own");
  for_each([&](std::uint64_t p, std::uint32_t count) {
    const std::uint64_t exact = exact_[p];
    const std::uint64_t least = exact + (may_halve_ ? count / 2 : count);
    const bool open = exact != 0 && least < cap_;
    std::uint64_t& word = open_[p / 64];
    word = (word & ~(std::uint64_t{1} << p % 64)) | std::uint64_t{open} << p % 64;
  });
}

}  // namespace gsx

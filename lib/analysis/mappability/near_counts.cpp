#include "analysis/mappability/near_counts.hpp"

#include <cstring>

namespace gsx {

NearCounts::NearCounts(const BothStrandsView& text, const NearWindows& windows,
                       const FrequencyCodes& exact, std::uint64_t cap, int threads)
    : exact_(exact),
      size_(exact.size()),
      cap_(cap),
      threads_(threads),
      steps_(size_ + 1, "near k-mers"),
      open_((size_ + 63) / 64, "near k-mers"),
      palindromes_(text.half < text.text.length() ? open_.size() : 0, "near k-mers") {
  std::memset(steps_.data(), 0, steps_.bytes());
  std::memset(open_.data(), 0, open_.bytes());
  find_palindromes(text, windows);
  close_full();
}

void NearCounts::find_palindromes(const BothStrandsView& text, const NearWindows& windows) {
  constexpr std::uint64_t words_at_once = block / 64;
  const std::uint64_t words = palindromes_.size();
  const auto k = static_cast<std::uint64_t>(windows.k);
  parallel_for(threads_, (words + words_at_once - 1) / words_at_once, [&](std::uint64_t b, int) {
    for (std::uint64_t w = b * words_at_once; w < std::min(words, (b + 1) * words_at_once); ++w) {
      std::uint64_t word = 0;
      for (std::uint64_t p = 64 * w; p < std::min(size_, 64 * w + 64); ++p) {
        // A k-mer that begins at p ends in its segment unless its exact frequency is 0, which few
        // windows need be asked for.
        const bool is_one = p + k <= text.text.length() &&
                            NearPalindromes::is_one(text.text.symbols, windows, p) &&
                            exact_[p] != 0;
        word |= std::uint64_t{is_one} << p % 64;
      }
      palindromes_[w] = word;
    }
  });
}

void NearCounts::close_full() {
  static_assert(block % 64 == 0, "threads write words of their own");
  for_each([&](std::uint64_t p, std::uint32_t count) {
    const std::uint64_t exact = exact_[p];
    const bool open = exact != 0 && exact + count < cap_;
    std::uint64_t& word = open_[p / 64];
    word = (word & ~(std::uint64_t{1} << p % 64)) | std::uint64_t{open} << p % 64;
  });
}

}  // namespace gsx

#include "index/sa/bstar/alphabetic_code.hpp"

#include <algorithm>
#include <bit>

namespace gsx {

AlphabeticCode::AlphabeticCode(const TextView& text, const BigramBuckets& buckets)
    : symbols_(text.symbols), bits_(text.symbols.bits) {
  if (bits_ <= 2) return;
  first_.resize(text.sigma);
  next_.resize(std::size_t{1} << 2 * bits_);
  std::vector<std::uint64_t> of_first(text.sigma), of_next(text.sigma);
  for (std::uint64_t a = 0; a < text.sigma; ++a) {
    for (std::uint64_t b = 0; b < text.sigma; ++b)
      of_next[b] = buckets.end(a, b) - buckets.start(a, b);
    assign_words(of_next, {&next_[a << bits_], text.sigma});
    of_first[a] = buckets.end(a) - buckets.start(a, 0);
  }
  assign_words(of_first, first_);
}

/// A word with a set bit cannot be padding, so it and all words before it are symbols.
std::uint64_t AlphabeticCode::shared_symbols(std::uint64_t stream, int bits,
                                             std::uint64_t p) const {
  if (stream == 0) return 0;
  const auto all = static_cast<std::uint64_t>(bits);
  const auto last = static_cast<std::uint64_t>(64 - std::countr_zero(stream));
  if (is_packed()) return std::min(all / bits_, (last + bits_ - 1) / bits_);
  std::uint64_t code = symbols_[p];
  std::uint64_t used = word_length(first_[code]), shared = 0;
  while (used <= all) {
    ++shared;
    if (used >= last) break;
    const std::uint64_t next = symbols_[p + shared];
    used += word_length(next_[code << bits_ | next]);
    code = next;
  }
  return shared;
}

}  // namespace gsx

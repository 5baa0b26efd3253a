#include "sa/bstar/alphabetic_code.hpp"

#include <algorithm>
#include <bit>

namespace gsx {
namespace {

/// Raises small weights: rare symbols must not make code words longer than necessary.
void raise(std::vector<std::uint64_t>& weights) {
  std::uint64_t total = 0;
  for (const std::uint64_t weight : weights)
    total += weight;
  for (std::uint64_t& weight : weights)
    weight = std::max(weight, total / 1024 + 1);
}

}  // namespace

AlphabeticCode::AlphabeticCode(const TextView& text, const BigramBuckets& buckets)
    : symbols_(text.symbols), bits_(text.symbols.bits) {
  if (bits_ <= 2) return;
  first_.resize(text.sigma);
  next_.resize(std::size_t{1} << 2 * bits_);
  std::vector<std::uint64_t> of_first(text.sigma), of_next(text.sigma);
  for (std::uint64_t a = 0; a < text.sigma; ++a) {
    for (std::uint64_t b = 0; b < text.sigma; ++b)
      of_next[b] = buckets.end(a, b) - buckets.start(a, b);
    raise(of_next);
    assign(of_next, 0, text.sigma, 0, 0, &next_[a << bits_]);
    of_first[a] = buckets.end(a) - buckets.start(a, 0);
  }
  raise(of_first);
  assign(of_first, 0, text.sigma, 0, 0, first_.data());
}

/// Assigns code words that begin with the `depth` bits of `prefix` to codes [begin, end). The codes
/// of about half the weight continue with 0, the others with 1.
void AlphabeticCode::assign(const std::vector<std::uint64_t>& weights, std::uint32_t begin,
                            std::uint32_t end, std::uint32_t prefix, int depth, Word* words) {
  if (end - begin == 1) {
    words[begin] = static_cast<Word>(prefix << (word_bits - depth) << 4 | static_cast<Word>(depth));
    return;
  }
  std::uint64_t total = 0;
  for (std::uint32_t i = begin; i < end; ++i)
    total += weights[i];
  // Neither side gets more codes than the remaining bits can distinguish.
  const std::uint32_t room = 1u << (word_bits - depth - 1);
  std::uint32_t middle = begin + 1;
  std::uint64_t left = weights[begin];
  while (middle + 1 < end && middle + 1 - begin <= room &&
         (2 * left + weights[middle] <= total || end - middle > room)) {
    left += weights[middle++];
  }
  assign(weights, begin, middle, prefix << 1, depth + 1, words);
  assign(weights, middle, end, prefix << 1 | 1, depth + 1, words);
}

/// A word with a set bit cannot be padding, so it and all words before it are symbols.
std::uint64_t AlphabeticCode::shared_symbols(std::uint64_t stream, int bits,
                                             std::uint64_t p) const {
  if (stream == 0) return 0;
  const auto all = static_cast<std::uint64_t>(bits);
  const auto last = static_cast<std::uint64_t>(64 - std::countr_zero(stream));
  if (is_packed()) return std::min(all / bits_, (last + bits_ - 1) / bits_);
  std::uint64_t code = symbols_[p];
  std::uint64_t used = length(first_[code]), shared = 0;
  while (used <= all) {
    ++shared;
    if (used >= last) break;
    const std::uint64_t next = symbols_[p + shared];
    used += length(next_[code << bits_ | next]);
    code = next;
  }
  return shared;
}

}  // namespace gsx

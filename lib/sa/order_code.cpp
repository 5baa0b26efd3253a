#include "sa/order_code.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace gsx {
namespace {

constexpr std::uint64_t sampled_symbols = std::uint64_t{1} << 16;

/// None is so small that words get longer for it than need be.
std::vector<std::uint64_t> sample_weights(const TextView& text) {
  std::vector<std::uint64_t> weights(text.sigma, sampled_symbols >> 10);
  const std::uint64_t n = text.length();
  const std::uint64_t stride = std::max<std::uint64_t>(1, n / sampled_symbols);
  for (std::uint64_t i = 0; i + stride <= n; i += stride) {
    // An uneven step, so that a period of the text does not bias the sample.
    ++weights[text.symbols[i + (i * 0x9E3779B97F4A7C15u >> 32) % stride]];
  }
  return weights;
}

}  // namespace

OrderCode::OrderCode(const TextView& text)
    : packed_bits_(text.symbols.bits <= 2 ? text.symbols.bits : 0) {
  if (is_packed()) return;
  const std::vector<std::uint64_t> weights = sample_weights(text);
  assign(weights.data(), 0, text.sigma, 0, 0);
  fill_table(text.sigma);
}

/// Gives words that begin with the `depth` bits of `prefix` to codes [begin, end): those of nearly
/// half the weight go on with 0, those of the other half with 1.
void OrderCode::assign(const std::uint64_t* weights, std::uint32_t begin, std::uint32_t end,
                       std::uint64_t prefix, int depth) {
  if (end - begin == 1) {
    words_[begin] = {prefix << (64 - depth), static_cast<std::uint64_t>(depth)};
    return;
  }
  std::uint64_t total = 0;
  for (std::uint32_t i = begin; i < end; ++i)
    total += weights[i];
  // No more codes on a side than the bits left can tell apart.
  const std::uint32_t room = 1u << (word_bits - depth - 1);
  std::uint32_t middle = begin + 1;
  std::uint64_t left = weights[begin];
  while (middle + 1 < end && middle + 1 - begin <= room &&
         (2 * left + weights[middle] <= total || end - middle > room)) {
    left += weights[middle++];
  }
  assign(weights, begin, middle, prefix << 1, depth + 1);
  assign(weights, middle, end, prefix << 1 | 1, depth + 1);
}

void OrderCode::fill_table(std::uint32_t sigma) {
  for (std::uint32_t c = 0; c < sigma; ++c) {
    const std::uint64_t first = words_[c].bits >> (64 - word_bits);
    const std::uint64_t count = std::uint64_t{1} << (word_bits - words_[c].length);
    for (std::uint64_t i = first; i < first + count; ++i)
      decoded_[i].first = static_cast<std::uint8_t>(words_[c].length);
  }
  for (std::uint64_t i = 0; i < decoded_.size(); ++i) {
    std::uint64_t used = 0, symbols = 0;
    for (;; ++symbols) {
      const std::uint64_t next = decoded_[i << used & (decoded_.size() - 1)].first;
      if (used + next > word_bits) break;
      used += next;
    }
    decoded_[i].symbols = static_cast<std::uint8_t>(symbols);
    decoded_[i].bits = static_cast<std::uint8_t>(used);
  }
}

/// A word with a set bit is one of a symbol, and so are those before it.
std::uint64_t OrderCode::shared_symbols(std::uint64_t stream, int bits) const {
  if (stream == 0) return 0;
  const auto all = static_cast<std::uint64_t>(bits);
  const auto last = static_cast<std::uint64_t>(64 - std::countr_zero(stream));
  if (is_packed()) return std::min(all / packed_bits_, (last + packed_bits_ - 1) / packed_bits_);
  std::uint64_t used = 0, symbols = 0;
  while (used < last) {
    const Decoded& next = decoded_[stream << used >> (64 - word_bits)];
    if (used + word_bits <= last) {
      used += next.bits;
      symbols += next.symbols;
    } else if (used + next.first <= all) {
      used += next.first;
      ++symbols;
    } else {
      break;
    }
  }
  return symbols;
}

}  // namespace gsx

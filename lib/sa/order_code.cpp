#include "sa/order_code.hpp"

#include <algorithm>
#include <vector>

namespace gsx {
namespace {

constexpr std::uint64_t sampled_symbols = std::uint64_t{1} << 16;

/// Of the end, then of each code. None is so small that words get longer for it than need be.
std::vector<std::uint64_t> sample_weights(const TextView& text) {
  std::vector<std::uint64_t> weights(text.sigma + 1, sampled_symbols >> 10);
  weights[0] = 0;
  const std::uint64_t n = text.length();
  const std::uint64_t stride = std::max<std::uint64_t>(1, n / sampled_symbols);
  for (std::uint64_t i = 0; i + stride <= n; i += stride) {
    // An uneven step, so that a period of the text does not bias the sample.
    ++weights[text.symbols[i + (i * 0x9E3779B97F4A7C15u >> 32) % stride] + 1];
  }
  return weights;
}

}  // namespace

OrderCode::OrderCode(const TextView& text) {
  const std::vector<std::uint64_t> weights = sample_weights(text);
  assign(weights.data(), 0, text.sigma + 1, 0, 0);
  fill_table(text.sigma);
}

/// Gives words that begin with the `depth` bits of `prefix` to leaves [begin, end): those of nearly
/// half the weight go on with 0, those of the other half with 1.
void OrderCode::assign(const std::uint64_t* weights, std::uint32_t begin, std::uint32_t end,
                       std::uint64_t prefix, int depth) {
  if (end - begin == 1) {
    const auto length = static_cast<std::uint64_t>(depth);
    if (begin == 0) end_length_ = length;
    if (begin > 0) words_[begin - 1] = {prefix << (64 - depth), length};
    return;
  }
  std::uint64_t total = 0;
  for (std::uint32_t i = begin; i < end; ++i)
    total += weights[i];
  // No more leaves on a side than the bits left can tell apart.
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
  const auto fill_first = [&](std::uint64_t bits, std::uint64_t length, bool is_end) {
    const std::uint64_t first = bits >> (64 - word_bits);
    for (std::uint64_t i = first; i < first + (std::uint64_t{1} << (word_bits - length)); ++i)
      decoded_[i] = {static_cast<std::uint8_t>(length), 0, 0, is_end};
  };
  fill_first(0, end_length_, true);
  for (std::uint32_t c = 0; c < sigma; ++c)
    fill_first(words_[c].bits, words_[c].length, false);
  for (std::uint64_t i = 0; i < decoded_.size(); ++i) {
    std::uint64_t used = 0, symbols = 0;
    for (;;) {
      const Decoded& next = decoded_[(i << used) & (decoded_.size() - 1)];
      if (next.is_end || used + next.first > word_bits) break;
      used += next.first;
      ++symbols;
    }
    decoded_[i].symbols = static_cast<std::uint8_t>(symbols);
    decoded_[i].bits = static_cast<std::uint8_t>(used);
  }
}

OrderCode::Common OrderCode::common(std::uint64_t stream, int bits) const {
  const auto all = static_cast<std::uint64_t>(bits);
  std::uint64_t used = 0, symbols = 0;
  for (;;) {
    const Decoded& next = decoded_[stream << used >> (64 - word_bits)];
    if (used + word_bits <= all && next.symbols > 0) {
      used += next.bits;
      symbols += next.symbols;
    } else if (used + next.first > all) {
      return {symbols, false};
    } else if (next.is_end) {
      return {symbols, true};
    } else {
      used += next.first;
      ++symbols;
    }
    if (used == 64) return {symbols, false};
  }
}

}  // namespace gsx

#include "index/sa/alphabetic_words.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace gsx {
namespace {

class Halving {
 public:
  Halving(std::span<const std::uint64_t> weights, std::span<AlphabeticWord> words)
      : weights_(weights), words_(words) {}

  /// Assigns words that begin with the `depth` bits of `prefix` to symbols [begin, end). The words
  /// of about half the weight continue with 0, the others with 1.
  void assign(std::size_t begin, std::size_t end, std::uint32_t prefix, std::uint32_t depth) {
    if (end - begin == 1) {
      words_[begin] =
          static_cast<AlphabeticWord>(prefix << (alphabetic_word_bits - depth) << 4 | depth);
      return;
    }
    const std::uint64_t total =
        std::accumulate(weights_.begin() + static_cast<std::ptrdiff_t>(begin),
                        weights_.begin() + static_cast<std::ptrdiff_t>(end), std::uint64_t{0});
    // Neither side gets more symbols than the remaining bits can distinguish.
    const std::size_t room = std::size_t{1} << (alphabetic_word_bits - depth - 1);
    std::size_t middle = begin + 1;
    std::uint64_t left = weights_[begin];
    while (middle + 1 < end && middle + 1 - begin <= room &&
           (2 * left + weights_[middle] <= total || end - middle > room)) {
      left += weights_[middle++];
    }
    assign(begin, middle, prefix << 1, depth + 1);
    assign(middle, end, prefix << 1 | 1, depth + 1);
  }

 private:
  std::span<const std::uint64_t> weights_;
  std::span<AlphabeticWord> words_;
};

}  // namespace

void assign_words(std::span<const std::uint64_t> weights, std::span<AlphabeticWord> words) {
  const std::uint64_t total = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<std::uint64_t> raised(weights.begin(), weights.end());
  for (std::uint64_t& weight : raised)
    weight = std::max(weight, total / 1024 + 1);
  Halving(raised, words).assign(0, raised.size(), 0, 0);
}

}  // namespace gsx

#include "bench/synthetic_bases.hpp"

#include <algorithm>

namespace gsx {
namespace {

/// Observed over expected dinucleotides of human chromosomes 20, 21 and X; rows: the first base.
constexpr double dinucleotides[4][4] = {{1.12, 0.83, 1.16, 0.89},
                                        {1.21, 1.25, 0.31, 1.16},
                                        {0.99, 1.01, 1.25, 0.83},
                                        {0.74, 0.98, 1.21, 1.12}};

/// The share of G and C, and of how many in 16 isochores.
struct Isochore {
  double gc;
  int share;
};
constexpr Isochore levels[BaseSource::isochores] = {{0.34, 2},  {0.36, 3}, {0.375, 3}, {0.39, 3},
                                                    {0.415, 2}, {0.44, 1}, {0.47, 1},  {0.52, 1}};

}  // namespace

BaseSource::BaseSource() {
  for (int level = 0; level < isochores; ++level) {
    const double gc = levels[level].gc;
    const double share[4] = {(1 - gc) / 2, gc / 2, gc / 2, (1 - gc) / 2};
    for (int before = 0; before < 4; ++before) {
      double sum = 0;
      for (int base = 0; base < 4; ++base)
        sum += share[base] * dinucleotides[before][base];
      double until = 0;
      NextBase& table = next_[level][before];
      std::size_t i = 0;
      for (int base = 0; base < 4; ++base) {
        until += share[base] * dinucleotides[before][base] / sum * 256;
        for (; i < 256 && (static_cast<double>(i) + 0.5 < until || base == 3); ++i)
          table[i] = static_cast<std::uint8_t>(base);
      }
    }
  }
}

void BaseSource::fill(Random& random, int isochore, char* out, std::uint64_t length) const {
  const auto& next = next_[isochore];
  std::uint8_t base = static_cast<std::uint8_t>(random.below(4));
  for (std::uint64_t i = 0; i < length;) {
    std::uint64_t bits = random.next();
    for (int k = 0; k < 8 && i < length; ++k, bits >>= 8) {
      base = next[base][bits & 255];
      out[i++] = base_letters[base];
    }
  }
}

void BaseSource::fill_mixed(Random& random, char* out, std::uint64_t length) const {
  for (std::uint64_t done = 0; done < length;) {
    const std::uint64_t part =
        std::min<std::uint64_t>(length - done, (64 << 10) + random.below(256 << 10));
    int level = 0;
    for (int share = static_cast<int>(random.below(16)); share >= levels[level].share; ++level)
      share -= levels[level].share;
    fill(random, level, out + done, part);
    done += part;
  }
}

std::string BaseSource::draw(Random& random, int isochore, std::uint64_t length) const {
  std::string bases(length, 'A');
  fill(random, isochore, bases.data(), length);
  return bases;
}

}  // namespace gsx

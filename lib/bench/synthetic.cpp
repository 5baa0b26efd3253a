#include "bench/synthetic.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "bench/synthetic_random.hpp"

namespace gsx {
namespace {

constexpr std::string_view bases = "ACGT";

void fill_random(Random& random, char* out, std::uint64_t length) {
  for (std::uint64_t i = 0; i < length;) {
    std::uint64_t bits = random.next();
    for (int k = 0; k < 32 && i < length; ++k, bits >>= 2)
      out[i++] = bases[bits & 3];
  }
}

/// Replaces a fraction `divergence` of the bases with random ones. Other symbols stay.
void change(Random& random, char* out, std::uint64_t length, double divergence) {
  const auto changes =
      static_cast<std::uint64_t>(divergence * static_cast<double>(length) + random.unit());
  for (std::uint64_t c = 0; c < changes; ++c) {
    const char base = bases[random.below(4)];
    char& symbol = out[random.below(length)];
    if (std::string_view("ACGTacgt").find(symbol) != std::string_view::npos) symbol = base;
  }
}

/// `count` places in [0, length), in order.
std::vector<std::uint64_t> random_places(Random& random, std::uint64_t length,
                                         std::uint64_t count) {
  std::vector<std::uint64_t> places(count);
  for (std::uint64_t& place : places)
    place = random.below(length);
  std::sort(places.begin(), places.end());
  return places;
}

/// `original` with insertions and deletions, as many of the one as of the other.
std::string with_indels(Random& random, std::string_view original, double rate) {
  const auto count =
      static_cast<std::uint64_t>(rate * static_cast<double>(original.size()) + random.unit());
  std::string text;
  text.reserve(original.size() + 2 * count);
  std::uint64_t kept = 0;  // up to here, `original` is in the text, or deleted
  for (const std::uint64_t place : random_places(random, original.size(), count)) {
    if (place < kept) continue;
    text += original.substr(kept, place - kept);
    kept = place;
    const std::uint64_t size =
        1 + static_cast<std::uint64_t>(std::countr_zero(random.next() | 1ull << 63));
    if (random.below(2) == 0) {
      kept = std::min<std::uint64_t>(place + size, original.size());
    } else {
      text.resize(text.size() + size);
      fill_random(random, text.data() + text.size() - size, size);
    }
  }
  return text += original.substr(kept);
}

/// Adds the runs of N of one chromosome.
void add_unknown_bases(Random& random, char* chromosome, std::uint64_t length) {
  const auto hide = [&](std::uint64_t begin, std::uint64_t count) {
    std::fill_n(chromosome + begin, std::min(count, length - begin), 'N');
  };
  const std::uint64_t ends = std::min<std::uint64_t>(10'000, length / 100);
  hide(0, ends);
  hide(length - ends, ends);
  hide(length / 3 + random.below(length / 3 + 1), length / 50);
  const std::uint64_t gap = std::min<std::uint64_t>(50'000, length / 100);
  for (std::uint64_t k = 0; k < length / 10'000'000; ++k)
    hide(random.below(length), gap);
}

}  // namespace

SyntheticAssembly synthetic_assembly(std::uint64_t length, std::uint64_t seed, int threads) {
  constexpr std::uint64_t chromosomes = 24;
  SyntheticAssembly assembly{synthetic_genome(length, seed, threads), {}};
  Random random(seed ^ 0xA55E3B1E);
  std::uint64_t begin = 0, shares = 0;
  for (std::uint64_t k = 0; k < chromosomes; ++k) {
    // Chromosome k has 92 - 3 k shares of 1380, from 92 down to 23. Divide first to avoid overflow.
    shares += 92 - 3 * k;
    const std::uint64_t end = length / 1380 * shares + length % 1380 * shares / 1380;
    add_unknown_bases(random, assembly.symbols.data() + begin, end - begin);
    assembly.ends.push_back(end);
    begin = end;
  }
  return assembly;
}

std::string synthetic_random(std::uint64_t length, std::string_view symbols, std::uint64_t seed,
                             int threads) {
  std::string text(length, ' ');
  for_pieces(length, seed, threads, [&](Random& random, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
      text[i] = symbols[random.below(symbols.size())];
  });
  return text;
}

std::string haplotype(std::string_view original, const VariantRates& rates, std::uint64_t seed,
                      std::uint64_t number) {
  Random random = random_of(seed, number);
  std::string text(original);
  // A quarter of the random bases are those that were there.
  change(random, text.data(), text.size(), rates.snps * 4 / 3);
  return rates.indels > 0 ? with_indels(random, text, rates.indels) : text;
}

std::string synthetic_copies(std::uint64_t length, std::uint64_t unit, std::uint64_t seed,
                             int threads) {
  std::string original(unit, ' ');
  Random random(seed);
  fill_random(random, original.data(), unit);
  std::string text(length, ' ');
  parallel_for(threads, (length + unit - 1) / unit, [&](std::uint64_t copy, int) {
    const std::uint64_t begin = copy * unit;
    const auto piece = std::string_view(original).substr(0, length - begin);
    haplotype(piece, {.snps = 0.75e-4}, seed, copy).copy(text.data() + begin, piece.size());
  });
  return text;
}

std::string repeated_bases(std::string_view unit, std::uint64_t length) {
  std::string text(unit.substr(0, length));
  text.reserve(length);
  while (text.size() < length)
    text.append(text, 0, length - text.size());
  return text;
}

std::string fibonacci_bases(std::uint64_t length) {
  std::string shorter = "C", word = "A";
  while (word.size() < length) {
    std::string longer = word + shorter;
    shorter = std::exchange(word, std::move(longer));
  }
  word.resize(length);
  return word;
}

}  // namespace gsx

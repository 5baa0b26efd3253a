#include "bench/synthetic.hpp"

#include <algorithm>
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

/// Copies `length` bases, forward or as their reverse complement, and replaces a fraction
/// `divergence` of them with random bases.
void copy_diverged(Random& random, const char* from, char* to, std::uint64_t length, bool reverse,
                   double divergence) {
  if (reverse) {
    for (std::uint64_t i = 0; i < length; ++i) {
      const char c = from[length - 1 - i];
      to[i] = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
    }
  } else {
    std::copy_n(from, length, to);
  }
  const auto changes =
      static_cast<std::uint64_t>(divergence * static_cast<double>(length) + random.unit());
  for (std::uint64_t c = 0; c < changes; ++c)
    to[random.below(length)] = bases[random.below(4)];
}

/// A family of interspersed repeats. Its copies are as diverged as the family is old.
struct Family {
  std::string consensus;
  double age;
};

std::vector<Family> make_families(std::uint64_t seed) {
  Random random(seed);
  std::vector<Family> families(120);
  for (std::size_t f = 0; f < families.size(); ++f) {
    const bool is_short = f % 2 == 0;
    families[f].consensus.resize(is_short ? 300 : 6000);
    fill_random(random, families[f].consensus.data(), families[f].consensus.size());
    // Most copies are old; a few young families make the long exact repeats.
    const double u = random.unit();
    families[f].age = 0.015 + 0.22 * u;
  }
  return families;
}

/// Writes random bases, about 45 % of them covered with interspersed repeats.
void fill_piece(Random& random, const std::vector<Family>& families, char* out,
                std::uint64_t length) {
  fill_random(random, out, length);
  for (std::uint64_t at = 0; at < length;) {
    const Family& family = families[random.below(families.size())];
    const std::uint64_t size = family.consensus.size();
    // Long repeats are mostly truncated, like LINEs.
    const std::uint64_t part = size > 1000 ? 200 + random.below(1800) : size;
    const std::uint64_t gap = random.below(part * 5 / 2);
    if (at + gap + part > length) break;
    copy_diverged(random, family.consensus.data() + random.below(size - part + 1), out + at + gap,
                  part, random.below(2) == 0, family.age);
    at += gap + part;
  }
}

/// Adds segmental duplications: long, recent copies of other places, about 3 % of the text.
/// Sequential, so that copies may be copied again.
void duplicate_segments(Random& random, std::string& text) {
  const std::uint64_t n = text.size();
  for (std::uint64_t done = 0; done < n / 50;) {
    const std::uint64_t length = std::min<std::uint64_t>(n / 4, 1000 + random.below(40000));
    const double divergence = random.below(4) == 0 ? 0.0005 : 0.002 + 0.03 * random.unit();
    const std::uint64_t from = random.below(n - length);
    const std::uint64_t to = random.below(n - length);
    const std::string copy = text.substr(from, length);
    copy_diverged(random, copy.data(), text.data() + to, length, random.below(2) == 0, divergence);
    done += length;
  }
}

/// Adds arrays of a 171-base monomer in nearly identical higher-order units; about 1 %.
void add_satellites(Random& random, std::string& text) {
  constexpr std::uint64_t monomer = 171;
  const std::uint64_t n = text.size();
  std::string unit(12 * monomer, ' ');
  fill_random(random, unit.data(), monomer);
  for (std::uint64_t m = 1; m < 12; ++m) {
    copy_diverged(random, unit.data(), unit.data() + m * monomer, monomer, false, 0.25);
  }
  for (std::uint64_t done = 0; done < n / 100;) {
    const std::uint64_t copies = 1 + random.below(20);
    if (copies * unit.size() >= n) return;
    const std::uint64_t to = random.below(n - copies * unit.size());
    for (std::uint64_t c = 0; c < copies; ++c) {
      copy_diverged(random, unit.data(), text.data() + to + c * unit.size(), unit.size(), false,
                    0.01);
    }
    done += copies * unit.size();
  }
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

std::string synthetic_genome(std::uint64_t length, std::uint64_t seed, int threads) {
  const std::vector<Family> families = make_families(seed);
  std::string text(length, 'A');
  for_pieces(length, seed, threads, [&](Random& random, std::uint64_t begin, std::uint64_t end) {
    fill_piece(random, families, text.data() + begin, end - begin);
  });
  if (length < 10000) return text;
  Random random(~seed);
  duplicate_segments(random, text);
  add_satellites(random, text);
  return text;
}

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

std::string synthetic_copies(std::uint64_t length, std::uint64_t unit, std::uint64_t seed,
                             int threads) {
  std::string original(unit, ' ');
  Random random(seed);
  fill_random(random, original.data(), unit);
  std::string text(length, ' ');
  parallel_for(threads, (length + unit - 1) / unit, [&](std::uint64_t copy, int) {
    Random changes(seed * 0x2545F4914F6CDD1D + copy + 1);
    const std::uint64_t begin = copy * unit;
    copy_diverged(changes, original.data(), text.data() + begin, std::min(unit, length - begin),
                  false, 1e-4);
  });
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

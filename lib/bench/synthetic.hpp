// Seeded texts that resemble real ones, for benchmarks and tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gsx {

/// `length` bases that repeat, and are composed, like human DNA: interspersed repeats of many ages
/// on both strands, segmental duplications, satellites and microsatellites, isochores, and little
/// CG. Percentage of suffixes that have k bases in common with a neighbour, beside that of human
/// DNA (186.5 Mbp: chromosomes 20 and 21, 70 Mbp of X, Y):
///
///     k                16     32     64    256   1024   longest
///     human          34.6   10.3    3.7    1.6    0.8    51,821
///     186.5 Mbp      34.9    9.7    3.0    1.3    0.7    48,455
///     50 Mbp         25.9    7.4    2.6    1.4    0.8    17,616
///
/// The share for k = 16 grows with the length, as in human DNA (chromosome 20, 59.5 Mbp: 21.4 %).
/// A seed gives the same text on any number of threads. Cost: about 3 ns per base and thread.
std::string synthetic_genome(std::uint64_t length, std::uint64_t seed, int threads);

/// A genome like an assembly: 24 chromosomes, the largest four times the smallest, with unknown
/// bases at both ends (10,000 N), in the middle (a fiftieth of the chromosome), and in gaps of
/// 50,000, one per 10 million bases. In chromosomes too short for that, such a run is a hundredth
/// of the chromosome.
struct SyntheticAssembly {
  std::string symbols;
  std::vector<std::uint64_t> ends;  ///< end of each chromosome in `symbols`
};
/// Cost: that of synthetic_genome. Pre: length >= 1000.
SyntheticAssembly synthetic_assembly(std::uint64_t length, std::uint64_t seed, int threads);

/// `length` symbols drawn uniformly from `symbols`. A seed gives the same text on any number of
/// threads.
std::string synthetic_random(std::uint64_t length, std::string_view symbols, std::uint64_t seed,
                             int threads);

/// How often two haplotypes differ, per base.
struct VariantRates {
  double snps = 0;
  double indels = 0;  ///< half of them of one base, a quarter of two, an eighth of three, ...
};

/// Those between two human haplotypes.
inline constexpr VariantRates human_variants = {.snps = 1e-3, .indels = 1e-4};

/// The bases of `original` with random variants; symbols that are no bases do not change. Each
/// `number` gives another haplotype. Cost: a copy, and a cache miss per variant.
std::string haplotype(std::string_view original, const VariantRates& rates, std::uint64_t seed,
                      std::uint64_t number);

/// Copies of one random piece of `unit` bases, each with about one change per 10,000 bases, like a
/// collection of nearly identical genomes.
std::string synthetic_copies(std::uint64_t length, std::uint64_t unit, std::uint64_t seed,
                             int threads);

/// `length` bytes that repeat like an English book: sentences with capitals and punctuation, of
/// words from a vocabulary of 30,000 drawn by Zipf's law. Half of the words come from the few that
/// often follow the word before, and now and then an earlier passage is repeated. `_` separates
/// words, because FASTA has no blanks; they have 4.7 letters on average. Share of suffixes that
/// have k symbols in common with a neighbour (50 MB): k = 8 85 %, 16 27 %, 32 2.3 %, 64 1.8 %, 256
/// 1.3 %, 1024 0.05 %. A seed gives the same text on any number of threads. Cost: about 4 ns per
/// symbol and thread.
std::string synthetic_prose(std::uint64_t length, std::uint64_t seed, int threads);

/// `length` symbols: `unit` again and again. Pre: it is not empty.
std::string repeated_bases(std::string_view unit, std::uint64_t length);

/// The first `length` symbols of the Fibonacci word over A and C, which is among the most
/// repetitive texts.
std::string fibonacci_bases(std::uint64_t length);

}  // namespace gsx

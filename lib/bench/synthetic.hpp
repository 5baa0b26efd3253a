// Seeded texts that look like real ones, for benchmarks and tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gsx {

/// `length` bases that repeat as a mammalian genome does: families of short and long interspersed
/// repeats of many ages on both strands, segmental duplications, and tandem satellites. With the
/// share of suffixes that have k bases in common with a neighbour (50 Mbp): k = 16 18 %, 32 7.7 %,
/// 64 3.0 %, 256 0.6 %, 1024 0.2 %. The same for a seed on any number of threads.
/// Cost: about 5 ns a base and thread.
std::string synthetic_genome(std::uint64_t length, std::uint64_t seed, int threads);

/// A genome as an assembly gives it: 24 chromosomes, the largest four times the smallest, with
/// unknown bases at both ends (10,000 N), in the middle (a fiftieth of the chromosome) and in gaps
/// of 50,000, one in 10 million bases; in chromosomes too short for that, runs of a hundredth of
/// them.
struct SyntheticAssembly {
  std::string symbols;
  std::vector<std::uint64_t> ends;  ///< of the chromosomes in `symbols`
};
/// Cost: that of synthetic_genome. Pre: length >= 1000.
SyntheticAssembly synthetic_assembly(std::uint64_t length, std::uint64_t seed, int threads);

/// `length` symbols drawn evenly from `symbols`. The same for a seed on any number of threads.
std::string synthetic_random(std::uint64_t length, std::string_view symbols, std::uint64_t seed,
                             int threads);

/// Copies of one random piece of `unit` bases, each with about one change in 10,000, as a
/// collection of near-identical genomes is.
std::string synthetic_copies(std::uint64_t length, std::uint64_t unit, std::uint64_t seed,
                             int threads);

/// `length` bytes that repeat as an English book does: sentences of words from a vocabulary of
/// 30,000 drawn by Zipf's law, half of them from the few that often follow the word before, with
/// capitals, punctuation, and now and then a passage that was there before; words are parted by
/// `_`, because FASTA has no blanks. Words
/// have 4.7 letters on average. With the share of suffixes that have k symbols in common with a
/// neighbour (50 MB): k = 8 85 %, 16 27 %, 32 2.3 %, 64 1.8 %, 256 1.3 %, 1024 0.05 %. The same for
/// a seed on any number of threads. Cost: about 4 ns a symbol and thread.
std::string synthetic_prose(std::uint64_t length, std::uint64_t seed, int threads);

/// The first `length` symbols of the Fibonacci word over A and C: the deepest repeats there are.
std::string fibonacci_bases(std::uint64_t length);

}  // namespace gsx

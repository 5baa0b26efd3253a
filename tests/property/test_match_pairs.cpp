// The pairs of matches are those that comparing every place gives, for every text, query, length,
// strand and uniqueness, however places are sampled and the work is cut.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "search/matches/cpu_pair_searcher.hpp"
#include "support/pair_cases.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

void check_collection(Random& random, const std::vector<std::string>& records, SymbolPolicy policy,
                      std::string_view symbols) {
  CAPTURE(records.size());
  const PairCollection collection(random, records, policy, symbols);
  const std::uint32_t bits = collection.text().symbols.bits();
  for (const std::uint64_t least :
       {std::uint64_t{1}, 2 + below(random, 12), 13 + below(random, 70)}) {
    CAPTURE(least);
    const Strands all[] = {Strands::both, Strands::forward, Strands::reverse};
    for (const Strands strands : {Strands::both, all[below(random, 3)]}) {
      CAPTURE(static_cast<int>(strands));
      for (const PairUniqueness unique : {PairUniqueness::none, PairUniqueness::target,
                                          PairUniqueness::both, PairUniqueness::both_strands}) {
        CAPTURE(static_cast<int>(unique));
        PairRules rules{{strands, least, unique}};
        const std::string expected = collection.expected(rules.request);
        CpuPairSearcher searcher(collection.setup(least));
        CHECK(difference(collection.found(searcher, rules, 1, 1 << 20), expected) == "");
        rules.part_symbols = 1 + below(random, 100);
        rules.part_pairs = 1 + below(random, 20);
        rules.reads_ahead = below(random, 2) == 0;
        const PairSampling sampling = some_sampling(random, least, bits);
        CAPTURE(sampling.kmer);
        CAPTURE(sampling.target_step);
        CAPTURE(sampling.query_step);
        const int threads = static_cast<int>(1 + below(random, 3));
        CpuPairSearcher other(collection.setup(least, threads), sampling, 1 + below(random, 50));
        CHECK(difference(collection.found(other, rules, threads, 1 + below(random, 300)),
                         expected) == "");
      }
    }
  }
}

}  // namespace

TEST_CASE("pairs of matches are those that comparing every place finds") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  for (auto records : thinned(adversarial_collections(random()))) {
    shorten(records);
    check_collection(random, records, SymbolPolicy::dna, "ACGTN");
  }
  check_collection(random,
                   {mutated_copies(random, 60, 6, 30, "ACGT"), "ACGTNNACGT", "",
                    random_string(random, 200, "ACGTN"), fibonacci_word(100, 'A', 'T')},
                   SymbolPolicy::dna, "ACGTN");
}

TEST_CASE("pairs of matches of protein and of bytes are found on one strand") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY", bytes = "abXY09.*";
  check_collection(
      random,
      {mutated_copies(random, 50, 4, 20, letters), "M", "", random_string(random, 200, "LKA")},
      SymbolPolicy::protein, letters);
  check_collection(
      random,
      {mutated_copies(random, 60, 4, 20, bytes), random_string(random, 150, bytes.substr(0, 3))},
      SymbolPolicy::bytes, bytes);
}

TEST_CASE("a sampling finds matches of its length, and no more places than allowed") {
  for (std::uint64_t least = 1; least < 3000; least += 1 + least / 8) {
    for (const std::uint32_t bits : {2u, 5u, 8u}) {
      for (const std::uint64_t size :
           {std::uint64_t{1}, std::uint64_t{1} << 20, std::uint64_t{1} << 34}) {
        const PairSampling sampling = pair_sampling(least, bits, size, PairTable::most_samples);
        CHECK(sampling.kmer >= 1);
        CHECK(sampling.kmer <= PairSampling::longest_kmer(bits));
        CHECK(sampling.period() + sampling.kmer - 1 <= least);
        CHECK(std::gcd(sampling.target_step, sampling.query_step) == 1);
        if (sampling.period() > 8) CHECK(size / sampling.target_step < PairTable::most_samples);
      }
    }
  }
}

// The index gives the maximal matches that comparing every place gives, for every text, query,
// length, strand and way to cut the queries.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "search/matches/cpu_match_searcher.hpp"
#include "support/match_cases.hpp"
#include "support/plain_matches.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

Index index_of(const Text& text, Random& random) {
  BuildOptions build;
  build.threads = 1;
  build.sample_rate = below(random, 3) == 0 ? 1 : static_cast<std::uint32_t>(1 + below(random, 20));
  if (below(random, 4) != 0)
    build.kmer_length = static_cast<std::uint32_t>(below(random, text.view().sigma > 4 ? 3 : 6));
  return Index::of(index_image(text, make_cpu_backend()->build_index(text.view(), build), 1), 1);
}

void check_text(Random& random, const std::vector<std::string>& records, SymbolPolicy policy,
                std::string_view symbols) {
  CAPTURE(records.size());
  const Text text = make_text(records, policy);
  const Index index = index_of(text, random);
  const bool complements = index.alphabet().has_reverse_complement();
  std::vector<std::string> queries{"", records[0]};
  while (queries.size() < 12)
    queries.push_back(match_query(random, records, symbols, complements));
  const QueryCodes codes(queries, index.alphabet());
  const PlainMatchSearcher plain(text.view(), complements);
  const MatchTuning tuning{.group_symbols = below(random, 500),
                           .piece_symbols = 1 + below(random, 40),
                           .most_pieces = 1 + below(random, 1000),
                           .long_symbols = below(random, 20)};
  const CpuMatchSearcher searcher(index, static_cast<int>(1 + below(random, 3)), {}, tuning);
  const CpuMatchSearcher uncut(index, 1, {}, {}, CpuPath::baseline);
  for (const std::uint64_t least :
       {std::uint64_t{1}, 2 + below(random, 12), 15 + below(random, 30)}) {
    for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
      CAPTURE(least);
      CAPTURE(static_cast<int>(strands));
      const MatchRequest request{strands, least};
      const auto expected = matches_of(plain, codes.patterns(), request);
      const auto found = matches_of(searcher, codes.patterns(), request);
      CHECK(found.queries() == expected.queries());
      CHECK(found.gaps() == 0);
      CHECK(matches_of(uncut, codes.patterns(), request).queries() == expected.queries());
    }
  }
}

}  // namespace

TEST_CASE("maximal matches are those that comparing every place finds") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  for (const auto& records : thinned(adversarial_collections(random()))) {
    check_text(random, records, SymbolPolicy::dna, "ACGTN");
  }
}

TEST_CASE("maximal matches of protein and of bytes are found on one strand") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY", all = every_symbol();
  for (int i = 0; i < rounds(4); ++i) {
    std::vector<std::string> proteins{mutated_copies(random, 50, 4, 20, letters), "M", "",
                                      random_string(random, 300, "LKA")};
    check_text(random, proteins, SymbolPolicy::protein, letters);
    std::vector<std::string> bytes{mutated_copies(random, 60, 4, 20, all),
                                   random_string(random, 200, all.substr(0, 3))};
    check_text(random, bytes, SymbolPolicy::bytes, all);
  }
}

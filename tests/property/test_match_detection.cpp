// A query is found to match exactly if comparing every place finds a match that is long enough.
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
#include "text/complement.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Matched = std::vector<std::uint8_t>;

Index index_of(const Text& text, std::uint32_t rate, std::uint32_t kmer_length) {
  BuildOptions build;
  build.threads = 1;
  build.sample_rate = rate;
  build.kmer_length = kmer_length;
  return Index::of(index_image(text, make_cpu_backend()->build_index(text.view(), build), 1), 1);
}

/// A query that ends where a match of its middle ends, or goes on.
std::string query_of(Random& random, const std::vector<std::string>& records,
                     std::string_view symbols, bool complements) {
  std::string query;
  for (std::uint64_t parts = 1 + below(random, 3); parts > 0; --parts) {
    const std::string& record = records[below(random, records.size())];
    const std::uint64_t begin = below(random, record.size() + 1);
    std::string part = record.substr(begin, below(random, 60));
    if (complements && below(random, 2) == 0) reverse_complement(part);
    query += part;
    query += random_string(random, below(random, 8), symbols);
  }
  return query;
}

Matched detected(const MatchSearcher& searcher, const QueryCodes& codes,
                 const MatchRequest& request) {
  Matched matched{7};  // what was there is replaced
  searcher.count(codes.patterns(), request, matched);
  return matched;
}

void check_text(Random& random, const std::vector<std::string>& records, SymbolPolicy policy,
                std::string_view symbols) {
  const Text text = make_text(records, policy);
  const auto rate = static_cast<std::uint32_t>(below(random, 3) == 0 ? 1 : 1 + below(random, 20));
  const auto kmers = static_cast<std::uint32_t>(below(random, text.view().sigma > 4 ? 3 : 7));
  const Index index = index_of(text, rate, kmers);
  const bool complements = index.alphabet().has_reverse_complement();
  std::vector<std::string> queries{"", records[0], "NNNNNNNNNNNN"};
  while (queries.size() < 24)
    queries.push_back(query_of(random, records, symbols, complements));
  const QueryCodes codes(queries, index.alphabet());
  const PlainMatchSearcher plain(text.view(), complements);
  const MatchTuning tuning{.group_symbols = below(random, 500),
                           .piece_symbols = 1 + below(random, 40),
                           .most_pieces = 1 + below(random, 1000)};
  const CpuMatchSearcher cut(index, static_cast<int>(1 + below(random, 3)), {}, tuning);
  const CpuMatchSearcher uncut(index, 1, {}, {}, CpuPath::baseline);
  const auto check = [&](const MatchRequest& request) {
    CAPTURE(request.min_length);
    CAPTURE(static_cast<int>(request.strands));
    const Matched expected = detected(plain, codes, request);
    CHECK(detected(uncut, codes, request) == expected);
    CHECK(detected(cut, codes, request) == expected);
  };
  for (std::uint64_t least = 1; least <= 40; least += 1 + below(random, 6))
    check({Strands::both, least});
  for (const Strands strands : {Strands::forward, Strands::reverse})
    check({strands, 1 + below(random, 30)});
}

}  // namespace

TEST_CASE("queries with a match that is long enough are those that comparing every place finds") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  for (const auto& records : thinned(adversarial_collections(random())))
    check_text(random, records, SymbolPolicy::dna, "ACGTN");
}

TEST_CASE("queries of protein and of bytes are found to match on one strand") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY", all = every_symbol();
  const std::vector<std::string> proteins{mutated_copies(random, 50, 4, 20, letters), "M", "",
                                          random_string(random, 300, "LKA")};
  check_text(random, proteins, SymbolPolicy::protein, letters);
  const std::vector<std::string> bytes{mutated_copies(random, 60, 4, 20, all),
                                       random_string(random, 200, all.substr(0, 3))};
  check_text(random, bytes, SymbolPolicy::bytes, all);
  // Codes of two bits, of which not all are there.
  check_text(random, {random_string(random, 200, "abc")}, SymbolPolicy::bytes, "abcd");
}

TEST_CASE("long queries are found to match wherever they do") {
  Random random(run_seed());
  const std::string sequence = random_string(random, 200'000, "ACGT");
  const Index index = index_of(gsx::testing::make_text({sequence}), 8, 8);
  const std::string other = random_string(random, 1'000'000, "ACGTN");
  std::vector<std::string> queries{other, std::string(1'000'000, 'N')};
  for (const std::uint64_t place : {std::uint64_t{0}, 500'000 + below(random, 1000), 999'968ul}) {
    std::string part = sequence.substr(below(random, 100'000), 32), query = other;
    if (below(random, 2) == 0) reverse_complement(part);
    queries.push_back(query.replace(place, part.size(), part));
  }
  const QueryCodes codes(queries);
  for (const int threads : {1, 2}) {
    const CpuMatchSearcher searcher(index, threads);
    CHECK(detected(searcher, codes, {Strands::both, 32}) == Matched{0, 0, 1, 1, 1});
    CHECK(detected(searcher, codes, {Strands::both, 52}) == Matched{0, 0, 0, 0, 0});
  }
}

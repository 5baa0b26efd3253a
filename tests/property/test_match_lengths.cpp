// Matching statistics made of maximal matches are those that comparing every place gives, and their
// places hold the matches.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "search/exact/cpu_searcher.hpp"
#include "search/matches/cpu_match_searcher.hpp"
#include "search/matches/match_lengths.hpp"
#include "support/match_cases.hpp"
#include "support/plain_matches.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"
#include "text/complement.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Lengths by runs of maximal matches; checks that runs follow one another.
std::vector<std::uint64_t> lengths_of(const std::vector<MaximalMatch>& matches,
                                      std::uint64_t length, bool ending) {
  std::vector<std::uint64_t> lengths;
  const auto take = [&](const LengthRun& run) {
    CHECK(run.begin == lengths.size());
    CHECK(run.begin < run.end);
    std::uint64_t most = 0;
    for (std::uint64_t i = run.begin; i < run.end; ++i) {
      lengths.push_back(run.length_at(i));
      most = std::max(most, lengths.back());
    }
    CHECK(run.most() == most);
  };
  LengthRuns runs(ending);
  for (const MaximalMatch& match : matches)
    runs.add({match, {}}, take);
  runs.finish(length, take);
  return lengths;
}

/// Checks that the place of each run holds the match of each of its positions.
void check_places(const Text& text, const Index& index, std::span<const std::uint8_t> query,
                  const std::vector<MaximalMatch>& matches, Strands strands, bool ending) {
  MatchPatterns patterns;
  for (const MaximalMatch& match : matches)
    patterns.add(query, match);
  Hits hits;
  CpuSearcher(index, {}, CpuPath::baseline).locate(patterns.patterns(), strands, 1, hits);
  REQUIRE(hits.hits.size() == matches.size());
  const auto take = [&](const LengthRun& run) {
    for (std::uint64_t i = run.begin; run.is_matched() && i < run.end; ++i) {
      const std::uint64_t length = run.length_at(i), begin = ending ? i + 1 - length : i;
      for (std::uint64_t j = 0; j < length; ++j) {
        const std::uint64_t at =
            run.position_at(i) + (run.longest.place.is_reverse() ? length - 1 - j : j);
        const std::uint32_t code = query[begin + j];
        CHECK(text.view().symbols[at] == (run.longest.place.is_reverse() ? 3 - code : code));
      }
    }
  };
  LengthRuns runs(ending);
  for (std::size_t i = 0; i < matches.size(); ++i)
    runs.add({matches[i], hits.hits[i]}, take);
  runs.finish(query.size(), take);
}

void check_text(Random& random, const std::vector<std::string>& records, SymbolPolicy policy,
                std::string_view symbols) {
  CAPTURE(records.size());
  const Text text = make_text(records, policy);
  BuildOptions build;
  build.threads = 1;
  build.kmer_length = static_cast<std::uint32_t>(below(random, text.view().sigma > 4 ? 3 : 6));
  const Index index =
      Index::of(index_image(text, make_cpu_backend()->build_index(text.view(), build), 1), 1);
  const bool complements = index.alphabet().has_reverse_complement();
  const PlainMatches plain(text.view(), complements);
  const CpuMatchSearcher searcher(index, 1);
  std::vector<std::string> queries{"", records[0], random_string(random, 60, symbols)};
  for (const std::string& record : records) {
    std::string query = record.substr(below(random, record.size() + 1), 60);
    if (complements && below(random, 2) == 0) reverse_complement(query);
    if (!query.empty()) query[below(random, query.size())] = symbols[0];
    queries.push_back(query + random_string(random, below(random, 20), symbols));
    if (queries.size() > 8) break;
  }
  const QueryCodes codes(queries, index.alphabet());
  for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
    CAPTURE(static_cast<int>(strands));
    const auto found = matches_of(searcher, codes.patterns(), {strands, 1}).queries();
    for (std::size_t i = 0; i < queries.size(); ++i) {
      CAPTURE(queries[i]);
      const auto query = codes.patterns()[i];
      CHECK(lengths_of(found[i], query.size(), false) == plain.lengths(query, strands));
      CHECK(lengths_of(found[i], query.size(), true) == plain.lengths_ending(query, strands));
      if (!complements && strands == Strands::reverse) continue;
      for (const bool ending : {false, true})
        check_places(text, index, query, found[i], strands, ending);
    }
  }
}

}  // namespace

TEST_CASE("matching statistics are those of comparing every place" * doctest::timeout(600)) {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  for (int round = 0; round < rounds(4); ++round) {
    check_text(random, {random_string(random, 1 + below(random, 400), "ACGT")}, SymbolPolicy::dna,
               "ACGT");
    check_text(random, {random_string(random, 300, "ACGTNN"), "N", "ACGNNNT"}, SymbolPolicy::dna,
               "ACGTN");
    check_text(random, {fibonacci_word(200)}, SymbolPolicy::dna, "AC");
    check_text(random, {std::string(150, 'A')}, SymbolPolicy::dna, "AT");
    std::vector<std::string> many;
    for (int i = 0; i < 40; ++i)
      many.push_back(random_string(random, below(random, 12), "ACGT"));
    many[0] = "ACGTTGCA";
    check_text(random, many, SymbolPolicy::dna, "ACGT");
    check_text(random, {random_string(random, 200, "ARNDCQ"), "MKV"}, SymbolPolicy::protein,
               "ARNDCQX");
    check_text(random, {random_string(random, 200, "ab-")}, SymbolPolicy::bytes, "ab-");
  }
}

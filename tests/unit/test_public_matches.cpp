// Maximal matches and matching statistics through the public header: what comparing every place
// finds, for one query and for batches, and what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "gsx/error.hpp"
#include "gsx/matches.hpp"
#include "support/match_cases.hpp"
#include "support/plain_matches.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

const std::vector<std::string> records{"ACGTACGTNNACGTTTGGGA", "TTTACGNCCCAAAGGG", "", "GATTACA"};

/// Many queries, and one that is long.
std::vector<std::string> many_queries(Random& random, const std::string& text) {
  std::vector<std::string> queries{"", "N", text};
  while (queries.size() < 300) {
    std::string query = text.substr(below(random, text.size()), below(random, 60));
    if (!query.empty()) query[below(random, query.size())] = "ACGTN"[below(random, 5)];
    queries.push_back(query);
  }
  return queries;
}

}  // namespace

TEST_CASE("public: maximal matches and lengths of one query are those of comparing every place") {
  const Text text = make_text(records);
  const Index index = build_index(make_text(records));
  const PlainMatches plain(text.view(), true);
  for (const std::string query : {"ACGTTTGGGACC", "TACGTNTCCCAAA", "TGTAATCGATTACA", "NNN", ""}) {
    CAPTURE(query);
    const auto codes = codes_of(query);
    for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
      for (const std::uint64_t least : {1, 3, 6}) {
        CHECK(maximal_matches(index, query, {strands, least}) ==
              plain.maximal_matches(codes, {strands, least}));
      }
      CHECK(match_lengths(index, query, {strands, false}) == plain.lengths(codes, strands));
      CHECK(match_lengths(index, query, {strands, true}) == plain.lengths_ending(codes, strands));
    }
  }
}

TEST_CASE("public: a maximal match occurs as often as counted, and its extensions do not") {
  Random random(5);
  const std::string text = mutated_copies(random, 400, 5, 60, "ACGT");
  const Index index = build_index(make_text({text}));
  for (const std::string& query : many_queries(random, text)) {
    if (query.size() > 100) continue;
    CAPTURE(query);
    for (const MaximalMatch& match : maximal_matches(index, query, {.min_length = 5})) {
      const std::string_view all = query;
      const StrandCounts counts = count(index, all.substr(match.begin, match.length));
      CHECK(counts.forward == match.counts.forward);
      CHECK(counts.reverse == match.counts.reverse);
      if (match.begin > 0)
        CHECK(count(index, all.substr(match.begin - 1, match.length + 1)).total() == 0);
      if (match.end() < all.size())
        CHECK(count(index, all.substr(match.begin, match.length + 1)).total() == 0);
    }
  }
}

TEST_CASE("public: batches give what single queries give, for any threads, to several callers") {
  Random random(6);
  const std::string text = mutated_copies(random, 2000, 8, 60, "ACGT");
  Index index = build_index(make_text({text}));
  const std::vector<std::string> queries = many_queries(random, text);
  const std::vector<std::string_view> views(queries.begin(), queries.end());
  std::vector<std::vector<MaximalMatch>> matches;
  std::vector<std::vector<std::uint64_t>> lengths;
  for (const std::string& query : queries) {
    matches.push_back(maximal_matches(index, query, {.min_length = 7}));
    lengths.push_back(match_lengths(index, query, {.ending = true}));
  }
  for (const int threads : {1, 3}) {
    CAPTURE(threads);
    const MaximalMatchSearcher searcher(index, {.threads = threads});
    CHECK(searcher.device() == "cpu");
    std::atomic<int> wrong{0};
    const auto call = [&] {
      CollectedMatches found;
      searcher.matches(views, {.min_length = 7},
                       [&](const MatchChunk& chunk) { found.take(chunk); });
      wrong += found.queries() == matches && found.gaps() == 0 ? 0 : 1;
      std::vector<std::vector<std::uint64_t>> measured(queries.size());
      searcher.lengths(views, {.ending = true}, [&](const LengthChunk& chunk) {
        wrong += chunk.begin == measured[chunk.query].size() ? 0 : 1;
        wrong += chunk.lengths.empty() || chunk.lengths.size() > 65536 ? 1 : 0;
        measured[chunk.query].insert(measured[chunk.query].end(), chunk.lengths.begin(),
                                     chunk.lengths.end());
      });
      wrong += measured == lengths ? 0 : 1;
    };
    std::thread other(call);
    call();
    other.join();
    CHECK(wrong == 0);
  }
}

TEST_CASE("public: queries match if they have a match, or if matches cover enough of them") {
  Random random(6);
  const std::string text = mutated_copies(random, 400, 5, 60, "ACGT");
  const Index index = build_index(make_text({text}));
  const std::vector<std::string> queries = many_queries(random, text);
  const std::vector<std::string_view> views(queries.begin(), queries.end());
  const MaximalMatchSearcher searcher(index, {.device = "cpu", .threads = 3});
  for (const double least : {0.0, 0.5, 1.0}) {
    const auto matched = searcher.which_match(views, {.min_length = 9}, least);
    REQUIRE(matched.size() == queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      std::vector<bool> covered(queries[i].size());
      for (const MaximalMatch& match : maximal_matches(index, queries[i], {.min_length = 9}))
        std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(match.begin), match.length, true);
      const auto held = static_cast<double>(std::ranges::count(covered, true));
      const bool expected = held > 0 && held >= least * static_cast<double>(covered.size());
      CHECK(matched[i] == (expected ? 1 : 0));
    }
  }
  CHECK_THROWS_AS(searcher.which_match(views, {}, 1.5), UsageError);
  CHECK_THROWS_AS(searcher.which_match(views, {.min_length = 0}), UsageError);
}

TEST_CASE("public: a searcher of matches owns its index, and passes on what a sink throws") {
  auto index = std::make_unique<Index>(build_index(make_text(records)));
  const MaximalMatchSearcher searcher(*index);
  index.reset();
  const std::vector<std::string_view> queries{"GATTACA", "TGTAATC"};
  std::uint64_t found = 0;
  searcher.matches(queries, {.min_length = 7},
                   [&](const MatchChunk& chunk) { found += chunk.matches.size(); });
  CHECK(found == 2);
  CHECK_THROWS_AS(searcher.matches(queries, {}, [](const MatchChunk&) { throw 5; }), int);
  CHECK_THROWS_AS(searcher.lengths(queries, {}, [](const LengthChunk&) { throw 5; }), int);
  searcher.lengths({}, {}, [](const LengthChunk&) { throw 5; });
}

TEST_CASE("public: searches for matches refuse what they cannot do") {
  const Index index = build_index(make_text(records));
  const MaximalMatchSearcher searcher(index, {.device = "cpu"});
  const MatchSink ignore = [](const MatchChunk&) {};
  CHECK_THROWS_AS(maximal_matches(index, "ACGT", {.min_length = 0}), UsageError);
  CHECK_THROWS_AS(searcher.matches({}, {.min_length = 0}, ignore), UsageError);
  CHECK_THROWS_AS(searcher.matches({}, {}, nullptr), UsageError);
  CHECK_THROWS_AS(searcher.lengths({}, {}, nullptr), UsageError);
  CHECK_THROWS_AS(MaximalMatchSearcher(index, {.device = "cuda:77"}), DeviceError);
}

TEST_CASE("public: matches of protein and bytes are found on one strand") {
  const Index index = build_index(make_text({"MKVLAAGIVG"}, SymbolPolicy::protein));
  const std::vector<std::uint64_t> lengths{3, 2, 1, 0, 3, 2, 1};
  CHECK(match_lengths(index, "KVLWAAG") == lengths);
}

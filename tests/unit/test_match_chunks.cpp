// Matches on their way to a sink, and a search that goes on with another searcher.
#include "search/matches/match_chunks.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "device/fallback.hpp"
#include "device/registry.hpp"
#include "search/matches/cpu_match_searcher.hpp"
#include "support/match_cases.hpp"
#include "support/open_index.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Finds what the CPU finds, in chunks of a few matches, until it has given so many of them.
class Failing final : public MatchSearcher {
 public:
  Failing(const Index& index, std::uint64_t most) : cpu_(index, 1), most_(most) {}

  void stream(const Patterns& queries, const MatchRequest& request,
              const MatchSink& sink) const override {
    std::uint64_t given = 0;
    const MatchSink few = [&](const MatchChunk& chunk) {
      if (given >= most_) throw DeviceError("it fell off the bus");
      given += chunk.matches.size() + 1;
      sink(chunk);
    };
    const auto collected = matches_of(cpu_, queries, request);
    MatchChunks chunks(few, 3);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      for (const MaximalMatch& match : collected.queries()[i]) {
        chunks.add(match);
        chunks.flush_if_full();
      }
      chunks.close_until(i + 1);
    }
    chunks.finish(queries.size());
  }
  std::size_t best_batch() const override { return 17; }

 private:
  CpuMatchSearcher cpu_;
  std::uint64_t most_;
};

class FailingBackend final : public Backend {
 public:
  explicit FailingBackend(std::uint64_t most) {
    searches().set<MatchSearch>([most](const MatchSearch::Setup& setup) {
      return std::make_unique<Failing>(setup.index, most);
    });
  }
  std::string name() const override { return "failing"; }
  BuildPlan plan(const TextView&, BuildTarget, const BuildOptions&) override { return {}; }
  void build_rows(const TextView&, const BuildOptions&, const TakeRows&) override {}
  void build_codes(const TextView&, const BuildOptions&, const TakeCodes&) override {}
  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    return make_cpu_backend()->build_index(text, options);
  }
};

}  // namespace

TEST_CASE("a search for matches that fails anywhere goes on where it was, with the CPU") {
  Random random(run_seed());
  const std::string sequence = random_string(random, 2000, "ACGT");
  const Text text = make_text({sequence});
  const OpenIndex index(text);
  std::vector<std::string> queries{"", "NNN"};
  for (int i = 0; i < 6; ++i)
    queries.push_back(match_query(random, {sequence}, "ACGTN", true));
  queries.push_back(random_string(random, 400, "ACGT"));  // has dozens of matches in any case
  queries.emplace_back();
  const QueryCodes codes(queries);
  const MatchRequest request{Strands::both, 5};
  const auto expected = matches_of(CpuMatchSearcher(*index, 1), codes.patterns(), request);
  std::uint64_t matches = 0;
  for (const auto& some : expected.queries())
    matches += some.size();
  CHECK(matches > 10);
  for (std::uint64_t most = 0; most <= 2 * matches + 20; most += 1 + matches / 40) {
    CAPTURE(most);
    const auto either =
        make_fallback_backend(std::make_unique<FailingBackend>(most), make_cpu_backend());
    const auto searcher = either->open<MatchSearch>({*index, 1});
    CHECK(searcher->best_batch() == 17);
    const auto found = matches_of(*searcher, codes.patterns(), request);
    CHECK(found.queries() == expected.queries());
    CHECK(found.gaps() == 0);
    CHECK(either->name() == (most < matches ? "failing, then cpu" : either->name()));
    // From then on, the CPU does all.
    CHECK(matches_of(*searcher, codes.patterns(), request).queries() == expected.queries());
    CHECK_THROWS_AS(
        searcher->stream(codes.patterns(), request,
                         [](const MatchChunk&) { throw std::runtime_error("the disk is full"); }),
        std::runtime_error);
  }
}

TEST_CASE("chunks of whole queries and of parts of queries follow one another") {
  const std::vector<MaximalMatch> some{{0, 5, {1, 0}}, {3, 6, {0, 2}}};
  const std::vector<std::uint64_t> ends{0, 1, 2};
  CollectedMatches collected;
  const MatchSink sink = [&](const MatchChunk& chunk) { collected.take(chunk); };
  MatchChunks chunks(sink, 2);
  chunks.give({}, {});
  chunks.close_until(1);
  chunks.give(ends, some);
  for (std::uint64_t i = 0; i < 5; ++i) {
    chunks.add({i, 4, {1, 1}});
    chunks.flush_if_full();
  }
  chunks.close_until(5);
  chunks.give(ends, some);
  chunks.finish(9);
  REQUIRE(collected.queries().size() == 9);
  CHECK(collected.gaps() == 0);
  std::vector<std::size_t> sizes;
  for (const auto& of_query : collected.queries())
    sizes.push_back(of_query.size());
  CHECK(sizes == std::vector<std::size_t>{0, 0, 1, 1, 5, 0, 1, 1, 0});
}

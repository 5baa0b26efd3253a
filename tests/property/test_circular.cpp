// Searches in circular records against a look at every place of every circle. A failure names the
// seed of its case: GSX_SEED=SEED GSX_CASES=1 repeats it.
#include <doctest/doctest.h>

#include "device/circular/circular_searcher.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "run/patterns.hpp"
#include "support/circular_cases.hpp"
#include "support/mismatch_cases.hpp"
#include "support/plain_mismatches.hpp"
#include "support/seeds.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Records, their index, and what is asked.
struct CircularCase {
  explicit CircularCase(Random& random)
      : records(random_circular_records(random)),
        text(text_of_records(records.sequences)),
        index(index_of(text)) {
    for (std::uint64_t i = 1 + below(random, 12); i > 0; --i) {
      letters.push_back(random_circular_pattern(random, records));
      if (below(random, 20) == 0) letters.back().clear();
    }
    const Strands all[] = {Strands::both, Strands::forward, Strands::reverse};
    strands = all[below(random, 3)];
    const std::uint64_t caps[] = {0, 1, 2, 5, unlimited, unlimited};
    max_hits = caps[below(random, 6)];
    const std::uint64_t rooms[] = {1, 2, 7, 100, std::uint64_t{1} << 22};
    memory.hits_at_once = rooms[below(random, 5)];
    origins = std::make_shared<Origins>(
        text.view(), text.records_view(), records.circular,
        JunctionOptions{.threads = 1, .memory = memory, .path = best_cpu_path()});
  }
  static Index index_of(Text& made) {
    checksum_records(made, 1);
    const FmIndex fm = make_cpu_backend()->build_index(made.view(), {});
    return Index::of(index_image(made, fm, 1), 1);
  }
  std::vector<Occurrence> occurrences(const std::vector<Hit>& hits, std::size_t pattern) const {
    std::vector<Occurrence> found;
    for (const Hit& hit : hits)
      found.push_back(occurrence_of(text, hit, letters[pattern].size()));
    return found;
  }
  bool spans(const Occurrence& place) const {
    return place.end > records.sequences[place.record].size();
  }

  CircularRecords records;
  Text text;
  Index index;
  std::vector<std::string> letters;
  Strands strands;
  std::uint64_t max_hits;
  SearchMemory memory;
  std::shared_ptr<const Origins> origins;
};

StrandCounts counts_of(const std::vector<Occurrence>& places) {
  StrandCounts counts;
  for (const Occurrence& place : places)
    ++(place.reverse ? counts.reverse : counts.forward);
  return counts;
}

/// An exact search as if it were one with mismatches, for stream().
class AsMismatchSearcher final : public MismatchSearcher {
 public:
  AsMismatchSearcher(const Searcher& searcher, const Patterns& patterns)
      : searcher_(searcher), patterns_(patterns) {}
  void count(const SetPatterns&, const MismatchRequest&, MismatchCounts&) const override {}
  void stream(const SetPatterns&, const MismatchRequest& request,
              const HitSink& sink) const override {
    searcher_.stream(patterns_, {request.strands, request.max_hits}, sink);
  }

 private:
  const Searcher& searcher_;
  const Patterns& patterns_;
};

void check_exact(const CircularCase& drawn) {
  const auto open = [&] {
    return std::make_unique<CpuSearcher>(drawn.index, drawn.memory, best_cpu_path());
  };
  const CircularSearcher searcher(open(), drawn.origins, drawn.memory);
  PatternBuffer buffer;
  const std::vector<std::string_view> views(drawn.letters.begin(), drawn.letters.end());
  buffer.encode(views, drawn.index.alphabet());
  const Patterns patterns = buffer.patterns();
  std::vector<StrandCounts> counts;
  searcher.count(patterns, drawn.strands, counts);
  const MismatchRequest request{drawn.strands, 0, drawn.max_hits};
  const FoundPlaces found = stream(AsMismatchSearcher(searcher, patterns), {}, request, unlimited);
  Hits others;
  open()->locate(patterns, drawn.strands, drawn.max_hits, others);
  REQUIRE(found.hits.size() == drawn.letters.size());
  for (std::size_t i = 0; i < drawn.letters.size(); ++i) {
    CAPTURE(drawn.letters[i]);
    SetPatternBuffer sets;
    sets.add(drawn.letters[i], false);
    const std::vector<Occurrence> all =
        circular_places(drawn.records, sets.patterns()[0], drawn.strands, 0);
    const StrandCounts total = counts_of(all);
    CHECK(counts[i].forward == total.forward);
    CHECK(counts[i].reverse == total.reverse);
    CHECK(found.counts[i].forward == total.forward);
    CHECK(found.counts[i].reverse == total.reverse);
    // Those within records, as without circles, and then the first of the others.
    const std::uint64_t begin = i == 0 ? 0 : others.hit_ends[i - 1];
    std::vector<Occurrence> expected =
        drawn.occurrences({others.hits.begin() + static_cast<std::ptrdiff_t>(begin),
                           others.hits.begin() + static_cast<std::ptrdiff_t>(others.hit_ends[i])},
                          i);
    for (const Occurrence& place : all)
      if (drawn.spans(place) && expected.size() < drawn.max_hits) expected.push_back(place);
    std::ranges::sort(expected);
    CHECK(drawn.occurrences(found.hits[i], i) == expected);
  }
}

void check_mismatches(const CircularCase& drawn, Random& random) {
  SetPatternBuffer buffer;
  const bool iupac = below(random, 2) == 0;
  for (const std::string& letters : drawn.letters) {
    SetPatternBuffer one;
    one.add(letters, iupac);
    std::vector<BaseSet> sets(one.patterns()[0].begin(), one.patterns()[0].end());
    for (BaseSet& set : sets) {
      if (below(random, 12) == 0) set |= static_cast<BaseSet>(below(random, 16));
      if (below(random, 16) == 0) set |= base_sets::must_match;
    }
    buffer.add(sets);
  }
  const SetPatterns patterns = buffer.patterns();
  const MismatchRequest request{drawn.strands, static_cast<std::uint32_t>(below(random, 5)),
                                drawn.max_hits};
  const MismatchTarget target{drawn.text.view(), &drawn.index};
  std::unique_ptr<MismatchSearcher> others =
      std::make_unique<PlainMismatchSearcher>(drawn.text.view(), drawn.memory);
  if (below(random, 2) == 0)
    others = std::make_unique<CpuMismatchSearcher>(target, 1, drawn.memory, best_cpu_path());
  const CircularMismatchSearcher searcher(std::move(others), drawn.origins, drawn.memory);
  MismatchCounts counts;
  searcher.count(patterns, request, counts);
  const FoundPlaces found = stream(searcher, patterns, request, unlimited);
  REQUIRE(found.hits.size() == patterns.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    CAPTURE(drawn.letters[i]);
    CAPTURE(request.mismatches);
    const std::vector<Occurrence> all =
        circular_places(drawn.records, patterns[i], drawn.strands, request.mismatches);
    const StrandCounts total = counts_of(all);
    CHECK(found.counts[i].forward == total.forward);
    CHECK(found.counts[i].reverse == total.reverse);
    std::vector<Occurrence> expected;
    for (std::uint32_t m = 0; m <= request.mismatches; ++m) {
      std::uint64_t of_class = 0;
      for (const Occurrence& place : all) {
        if (place.mismatches != m) continue;
        ++of_class;
        if (expected.size() < drawn.max_hits) expected.push_back(place);
      }
      CHECK(counts.at(i, m) == of_class);
    }
    std::ranges::sort(expected);
    CHECK(drawn.occurrences(found.hits[i], i) == expected);
  }
}

}  // namespace

TEST_CASE("searches in circular records find what a look at every place of the circles finds") {
  const std::uint64_t first = run_seed();
  for (std::uint64_t seed = first; seed < first + random_cases(150); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const CircularCase drawn(random);
    check_exact(drawn);
    check_mismatches(drawn, random);
  }
}

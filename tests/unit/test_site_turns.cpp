// Patterns with a table of PAM sites and others that take turns: the text is not read for each.
#include <doctest/doctest.h>

#include <atomic>
#include <string>

#include "search/sites/site_searcher.hpp"
#include "support/mismatch_cases.hpp"
#include "support/plain_mismatches.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Compares every place, and counts how often it reads the text.
class CountingSearcher final : public MismatchSearcher {
 public:
  CountingSearcher(const TextView& text, const SearchMemory& memory, std::atomic<int>& calls)
      : plain_(text, memory), calls_(calls) {}
  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    ++calls_;
    plain_.count(patterns, request, counts);
  }
  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override {
    ++calls_;
    plain_.stream(patterns, request, sink);
  }

 private:
  PlainMismatchSearcher plain_;
  std::atomic<int>& calls_;
};

/// A guide of a record before NGG, every other one with a code that no table answers.
SetPatternBuffer guides_in_turn(Random& random, const std::string& record, int count) {
  SetPatternBuffer patterns;
  for (int i = 0; i < count; ++i) {
    std::string guide = record.substr(below(random, record.size() - 12), 12);
    if (i % 2 == 0) guide[3] = 'N';
    std::vector<BaseSet> sets;
    for (const char letter : guide)
      sets.push_back(iupac_base_set(letter));
    for (const char letter : std::string("NGG"))
      sets.push_back(static_cast<BaseSet>(iupac_base_set(letter) | base_sets::must_match));
    patterns.add(sets);
  }
  return patterns;
}

}  // namespace

TEST_CASE("patterns with and without a table that take turns are found together") {
  Random random(21);
  const std::string record = random_string(random, 1500, "ACGT");
  const Text text = text_of_records({record, std::string(200, 'G'), record.substr(3, 90)});
  const SetPatternBuffer patterns = guides_in_turn(random, record, 120);
  // A whole table, and one in parts.
  for (const std::uint64_t table_bytes : {unlimited, std::uint64_t{20000}}) {
    for (const std::uint64_t at_once : {std::uint64_t{1} << 22, std::uint64_t{300}}) {
      for (const std::uint64_t max_hits : {unlimited, std::uint64_t{2}}) {
        CAPTURE(table_bytes);
        CAPTURE(at_once);
        const SearchMemory memory{.hits_at_once = at_once};
        std::atomic<int> calls{0};
        const SiteSearcher searcher(text.view(),
                                    std::make_unique<CountingSearcher>(text.view(), memory, calls),
                                    2, memory, table_bytes, best_cpu_path(), 1);
        const MismatchRequest request{Strands::both, 3, max_hits};
        const PlainMismatchSearcher plain(text.view(), memory);
        const FoundPlaces found = stream(searcher, patterns.patterns(), request, at_once);
        const FoundPlaces expected = stream(plain, patterns.patterns(), request, at_once);
        CHECK(found.hits == expected.hits);
        if (at_once > 300) CHECK(calls == 1);
        if (at_once == 300) CHECK(calls < 60);
      }
    }
  }
}

TEST_CASE("long runs with and without a table are streamed by themselves") {
  Random random(22);
  const std::string record = random_string(random, 400, "ACGT");
  const Text text = text_of_records({record});
  SetPatternBuffer patterns;
  const auto add = [&](int count, char odd) {
    for (int i = 0; i < count; ++i) {
      std::vector<BaseSet> sets{iupac_base_set(odd)};
      for (const char letter : record.substr(below(random, record.size() - 11), 11))
        sets.push_back(iupac_base_set(letter));
      for (const char letter : std::string("NGG"))
        sets.push_back(static_cast<BaseSet>(iupac_base_set(letter) | base_sets::must_match));
      patterns.add(sets);
    }
  };
  add(2, 'N');
  add(1500, 'A');
  add(3, 'N');
  add(2, 'C');
  add(1, 'N');
  add(1100, 'T');
  std::atomic<int> calls{0};
  const SiteSearcher searcher(
      text.view(), std::make_unique<CountingSearcher>(text.view(), SearchMemory(), calls), 1, {},
      unlimited, best_cpu_path(), 1);
  const PlainMismatchSearcher plain(text.view());
  const MismatchRequest request{Strands::both, 2, unlimited};
  const FoundPlaces found = stream(searcher, patterns.patterns(), request, 1 << 22);
  const FoundPlaces expected = stream(plain, patterns.patterns(), request, 1 << 22);
  CHECK(found.hits == expected.hits);
  CHECK(calls == 2);
}

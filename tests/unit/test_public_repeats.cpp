// Repeats through the public header: places in records, both strands or one, what is refused, and
// sinks that throw.
#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "gsx/error.hpp"
#include "gsx/repeats.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Places = std::vector<Occurrence>;

template <class Searched>
std::vector<Places> repeats_of(const Searched& searched, const RepeatRequest& request,
                               const RepeatOptions& options = {}) {
  std::vector<Places> all;
  find_repeats(searched, request, options, [&](const RepeatedString& repeat) {
    CHECK(repeat.count >= repeat.places.size());
    for (const Occurrence& place : repeat.places)
      CHECK(place.end - place.begin == repeat.length);
    all.emplace_back(repeat.places.begin(), repeat.places.end());
  });
  return all;
}

template <class Searched>
std::vector<OccurrencePair> pairs_of(const Searched& searched, std::uint64_t min_length,
                                     const RepeatOptions& options = {}) {
  std::vector<OccurrencePair> all;
  find_repeat_pairs(searched, min_length, options,
                    [&](const OccurrencePair& pair) { all.push_back(pair); });
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("repeats of a text in memory, with places in records") {
  // AACCG is in both records, and in the second one turned, as CGGTT.
  const Text text = gsx::testing::make_text({"AACCGA", "GGNTAACCGCCGGTTC"});
  const Occurrence a{0, 0, 5}, b{1, 4, 9}, c{1, 10, 15, true};
  CHECK(repeats_of(text, {.min_length = 5}) == std::vector<Places>{{a, b, c}});
  CHECK(repeats_of(text, {.min_length = 5, .supermaximal = true}) ==
        std::vector<Places>{{a, b, c}});
  CHECK(repeats_of(text, {.min_length = 5, .min_count = 4}).empty());
  CHECK(repeats_of(text, {.min_length = 5, .max_places = 2}).front().size() == 2);
  CHECK(repeats_of(text, {.min_length = 5}, {.both_strands = false}) ==
        std::vector<Places>{{a, b}});
  CHECK(pairs_of(text, 5) == std::vector<OccurrencePair>{{a, b}, {a, c}, {b, c}});
  CHECK(pairs_of(text, 5, {.both_strands = false}) == std::vector<OccurrencePair>{{a, b}});
  CHECK(dot_plot(text, 5).starts_with("<svg "));
}

TEST_CASE("repeats do not depend on threads or on the memory that is left") {
  Random random(41);
  const Text text = gsx::testing::make_text({mutated_copies(random, 2000, 200, 1000, "ACGT")});
  const RepeatRequest request{.min_length = 500};
  const auto expected = repeats_of(text, request);
  CHECK(expected.size() > 100);
  CHECK(repeats_of(text, request, {.sort = {.threads = 3}}) == expected);
  double last = 0;
  const ProgressReport progress = [&](const char*, double fraction) { last = fraction; };
  CHECK(repeats_of(text, request, {.sort = {.device = "cpu", .progress = progress}}) == expected);
  CHECK(last == 1);
  CHECK_THROWS_AS(repeats_of(text, request, {.sort = {.memory_limit = 1 << 20}}), ResourceError);
}

TEST_CASE("repeats of an index are those of its text") {
  Random random(42);
  const std::vector<std::string> records = {mutated_copies(random, 300, 9, 40, "ACGT"),
                                            "GGNTAACCGCCGGTTC"};
  const Text text = gsx::testing::make_text(records);
  const Index index = build_index(gsx::testing::make_text(records));
  CHECK(repeats_of(index, {.min_length = 12}) == repeats_of(text, {.min_length = 12}));
  CHECK(pairs_of(index, 12) == pairs_of(text, 12));
  CHECK(dot_plot(index, 12) == dot_plot(text, 12));
}

TEST_CASE("what cannot be asked of repeats is refused, and a sink may throw") {
  const Text text = gsx::testing::make_text({"AACCGAACCG"});
  CHECK_THROWS_AS(repeats_of(text, {.min_length = 0}), UsageError);
  CHECK_THROWS_AS(repeats_of(text, {.min_count = 1}), UsageError);
  CHECK_THROWS_AS(repeats_of(text, {.max_places = 0}), UsageError);
  CHECK_THROWS_AS(pairs_of(text, 0), UsageError);
  CHECK_THROWS_AS(dot_plot(text, 0), UsageError);
  CHECK_THROWS_AS(find_repeats(text, {}, {}, {}), UsageError);
  CHECK_THROWS_AS(find_repeat_pairs(text, 4, {}, {}), UsageError);
  CHECK_THROWS_AS(repeats_of(Text(), {}), UsageError);
  CHECK_THROWS_AS(find_repeats(text, {.min_length = 4}, {},
                               [](const RepeatedString&) { throw std::logic_error("enough"); }),
                  std::logic_error);
}

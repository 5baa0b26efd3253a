// What kernels do with sites and guides, run on the CPU thread by thread, gives what a comparison
// of every place gives.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "search/sites/site_groups.hpp"
#include "search/sites/site_join.hpp"
#include "search/sites/site_lookup.hpp"
#include "search/sites/site_parts.hpp"
#include "search/sites/site_window.hpp"
#include "support/mismatch_cases.hpp"
#include "support/plain_mismatches.hpp"
#include "support/site_cases.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Site {
  std::uint64_t place;
  bool reverse;
  std::uint64_t key;
  bool operator==(const Site&) const = default;
};

/// One half of a table, as the kernels make it.
struct HalfTable {
  SiteSplit split;
  std::vector<std::uint32_t> offsets, rest, places;

  HalfTable(const TextView& text, const SitePam& pam, const PlaceRange& range, const SiteSplit& cut,
            Random& random)
      : split(cut) {
    struct Entry {
      std::uint32_t key;
      std::uint64_t value;
    };
    std::vector<Entry> entries;
    for (std::uint64_t begin = range.begin; begin < range.end; begin += PlaceWindow::places) {
      SiteWindow window;
      window.load(text, pam, begin);
      window.for_each(text, pam, begin, [&](std::uint64_t place, bool reverse, std::uint64_t key) {
        entries.push_back({split.bucket(key) * 2 + (reverse ? 1 : 0),
                           std::uint64_t{split.rest(key)} << 32 | (place - range.begin)});
      });
    }
    std::shuffle(entries.begin(), entries.end(), random);  // blocks come in any order
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.key < b.key; });
    std::size_t at = 0;
    for (std::uint32_t key = 0; key <= (std::uint32_t{2} << 2 * split.half); ++key) {
      while (at < entries.size() && entries[at].key < key)
        ++at;
      offsets.push_back(static_cast<std::uint32_t>(at));
    }
    for (const Entry& entry : entries) {
      rest.push_back(static_cast<std::uint32_t>(entry.value >> 32));
      places.push_back(static_cast<std::uint32_t>(entry.value));
    }
  }
  SiteHalfView view() const { return {offsets.data(), rest.data(), places.data()}; }
};

/// What is found: counts and hits of each guide.
struct Joined {
  MismatchCounts counts;
  std::vector<std::vector<Hit>> hits;
};

/// Runs the warps of a join one after another, and the lanes of each between barriers.
template <std::uint32_t most_guides>
void join(const HalfTable& table, const SiteGroup& group, std::uint32_t most, Strands strands,
          std::uint64_t part_begin, Joined& joined) {
  const SiteSplit& split = table.split;
  std::vector<std::uint32_t> order(group.keys.size()), buckets;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return split.bucket(group.keys[a]) < split.bucket(group.keys[b]);
  });
  for (const std::uint32_t guide : order)
    buckets.push_back(split.bucket(group.keys[guide]));
  const std::uint32_t first_most = SiteLookup::first_most(most);
  const Neighbours neighbours(split.half, split.last ? most - 1 - first_most : first_most);
  CHECK(neighbours.all().size() ==
        Neighbours::count(split.half, split.last ? most - 1 - first_most : first_most));
  const HalfSearch search{.half = table.view(),
                          .split = split,
                          .guides = {buckets.data(), order.data(), group.keys.data(),
                                     static_cast<std::uint32_t>(order.size())},
                          .neighbours = neighbours.all().data(),
                          .neighbour_count = static_cast<std::uint32_t>(neighbours.all().size()),
                          .most = most,
                          .first_more = first_most,
                          .strands = strands};
  std::vector<BucketRange> ranges(HalfSearch::lanes);
  std::vector<std::uint32_t> counters(std::size_t{most_guides} * search.classes() *
                                      HalfSearch::lanes);
  const JoinMemory memory{ranges.data(), counters.data()};
  const auto each_lane = [](const auto& work) {
    for (std::uint32_t lane = 0; lane < HalfSearch::lanes; ++lane)
      work(lane);
  };
  const auto pattern_of = [&](std::uint32_t slot) { return group.patterns[order[slot]]; };
  for (std::uint32_t begin = 0; begin < search.guides.count; begin += most_guides) {
    const std::uint32_t end = std::min(search.guides.count, begin + most_guides);
    for (std::uint32_t chunk = 0; chunk < search.chunks(); ++chunk) {
      for (GuideRun run{begin, begin}; run.end < end;) {
        run = guide_run(search.guides, run.end, end);
        each_lane([&](std::uint32_t lane) { begin_join(search, run, chunk, lane, memory); });
        each_lane([&](std::uint32_t lane) {
          join_run<most_guides>(
              search, run, lane, memory,
              [&](std::uint32_t slot, std::uint32_t site, bool reverse, std::uint32_t mismatches) {
                joined.hits[pattern_of(slot)].emplace_back(part_begin + table.places[site], reverse,
                                                           mismatches);
              });
        });
        each_lane([&](std::uint32_t lane) {
          end_join(
              search, run, lane, memory,
              [&](std::uint32_t slot, bool reverse, std::uint32_t mismatches, std::uint32_t sum) {
                joined.counts.of(pattern_of(slot), reverse)[mismatches] += sum;
              });
        });
      }
    }
  }
}

/// Joins all guides of a case with all parts of its text.
template <std::uint32_t most_guides>
Joined join_all(const SiteCase& drawn, const SiteGroup& group, Strands strands,
                std::uint64_t part_places, Random& random) {
  Joined joined;
  joined.counts.reset(drawn.guides.patterns().size(), drawn.mismatches);
  joined.hits.resize(drawn.guides.patterns().size());
  const SitePam pam(group.shape);
  const TextView text = drawn.text.view();
  const std::uint32_t least = drawn.guide > 16 ? drawn.guide - 16 : 1;
  const std::uint32_t most = std::max(least, std::min(drawn.guide / 2, 5u));
  const auto half = static_cast<std::uint32_t>(least + below(random, most - least + 1));
  for (std::uint64_t begin = 0; begin < text.length(); begin += part_places) {
    const PlaceRange range{begin, std::min(begin + part_places, text.length())};
    for (const bool last : {false, true}) {
      if (last && drawn.mismatches == 0) break;
      const HalfTable table(text, pam, range, {drawn.guide, half, last}, random);
      join<most_guides>(table, group, drawn.mismatches, strands, begin, joined);
    }
  }
  for (std::vector<Hit>& hits : joined.hits)
    std::sort(hits.begin(), hits.end());
  return joined;
}

}  // namespace

TEST_CASE("windows of 64 places have the sites that a scan of the text finds") {
  Random random(31);
  for (int round = 0; round < serial_rounds(200); ++round) {
    CAPTURE(round);
    const SiteCase drawn = random_site_case(random, 10 + below(random, 900), 1);
    const TextView text = drawn.text.view();
    const SiteShape shape = *site_shape_of(drawn.guides.patterns()[0]);
    const SitePam pam(shape);
    std::vector<Site> expected, found;
    SiteScan(text, shape)
        .for_each({0, text.length()}, [&](std::uint64_t place, bool reverse, std::uint64_t key) {
          expected.push_back({place, reverse, key});
        });
    std::uint64_t count = 0;
    for (std::uint64_t begin = 0; begin < text.length(); begin += PlaceWindow::places) {
      SiteWindow window;
      window.load(text, pam, begin);
      count += window.count();
      window.for_each(text, pam, begin, [&](std::uint64_t place, bool reverse, std::uint64_t key) {
        found.push_back({place, reverse, key});
      });
    }
    CHECK(count == found.size());
    CHECK(found == expected);
  }
}

TEST_CASE("warps find the sites near to guides that a comparison of all places finds, each once") {
  Random random(run_seed());
  for (int round = 0; round < serial_rounds(40); ++round) {
    CAPTURE(round);
    SiteCase drawn = random_site_case(random, 10 + below(random, 700), 1 + below(random, 30));
    if (drawn.guide > 12 && below(random, 4) != 0)
      drawn.mismatches = std::min(drawn.mismatches, 4u);
    CAPTURE(drawn.guide);
    CAPTURE(drawn.mismatches);
    const auto groups = group_by_site(drawn.guides.patterns(), drawn.mismatches, 1);
    REQUIRE(groups);
    if (groups->empty()) continue;
    REQUIRE(groups->size() == 1);
    const PlainMismatchSearcher plain(drawn.text.view());
    const Strands strands[] = {Strands::both, Strands::forward, Strands::reverse};
    const MismatchRequest request{strands[below(random, 3)], drawn.mismatches};
    MismatchCounts counts;
    plain.count(drawn.guides.patterns(), request, counts);
    const FoundPlaces expected = stream(plain, drawn.guides.patterns(), request, 1 << 22);
    const std::uint64_t part = below(random, 2) == 0 ? 1 << 20 : 64 * (1 + below(random, 4));
    const SiteGroup& group = groups->front();
    const auto join_some = [&](auto most_guides) {
      const Joined joined = join_all<most_guides()>(drawn, group, request.strands, part, random);
      CHECK(same(joined.counts, counts));
      CHECK(joined.hits == expected.hits);
    };
    switch (round % 3) {
      case 0:
        join_some(std::integral_constant<std::uint32_t, 1>());
        break;
      case 1:
        join_some(std::integral_constant<std::uint32_t, 4>());
        break;
      default:
        join_some(std::integral_constant<std::uint32_t, 8>());
        break;
    }
  }
}

TEST_CASE("patterns are grouped by shape, and one without a shape makes no list of guides") {
  SetPatternBuffer patterns;
  patterns.add(guide_pattern("ACGTA", "NGG", false));
  patterns.add(std::vector<BaseSet>());  // cannot be asked for
  patterns.add(guide_pattern("ACGTA", "TTTV", true));
  patterns.add(guide_pattern("AC", "NGG", false));
  patterns.add(guide_pattern("GGGGG", "NGG", false));
  auto groups = group_by_site(patterns.patterns(), 4, 1);
  REQUIRE(groups);
  REQUIRE(groups->size() == 3);
  CHECK((*groups)[0].patterns == std::vector<std::uint32_t>{0, 4});
  CHECK((*groups)[0].keys == std::vector<std::uint64_t>{0b0001101100, 0b1010101010});
  CHECK((*groups)[1].patterns == std::vector<std::uint32_t>{2});
  CHECK((*groups)[2].patterns == std::vector<std::uint32_t>{3});
  CHECK_FALSE(group_by_site(patterns.patterns(), 4, 1, 2));
  groups = group_by_site(patterns.patterns(), 7, 1);  // of which only the longest can be asked for
  REQUIRE(groups);
  CHECK(groups->size() == 2);
  patterns.add("ACGTACGTAC", true);
  CHECK_FALSE(group_by_site(patterns.patterns(), 4, 1));
  CHECK(group_by_site(SetPatternBuffer().patterns(), 4, 1)->empty());
  const SiteShape shape = *site_shape_of(guide_pattern("ACGTA", "NGG", false));
  CHECK(key_in_shape(guide_pattern("TTTTT", "NGG", false), shape) == 0b1111111111);
  for (const auto& [guide, pam, first] : {std::tuple{"ACGTR", "NGG", false},
                                          {"ACGTA", "NAG", false},
                                          {"ACGTA", "NGG", true},
                                          {"ACGT", "NGG", false},
                                          {"ACG", "ANNGG", false}})
    CHECK_FALSE(key_in_shape(guide_pattern(guide, pam, first), shape));
}

TEST_CASE("several threads group patterns in the order of the batch") {
  Random random(33);
  SetPatternBuffer patterns;
  for (int i = 0; i < 40000; ++i)
    patterns.add(
        guide_pattern(random_string(random, 6, "ACGT"), i % 3 == 0 ? "NGG" : "NAG", false));
  const auto one = group_by_site(patterns.patterns(), 2, 1);
  const auto four = group_by_site(patterns.patterns(), 2, 4);
  REQUIRE(one);
  REQUIRE(four);
  REQUIRE(one->size() == 2);
  REQUIRE(four->size() == 2);
  for (std::size_t g = 0; g < 2; ++g) {
    CHECK((*one)[g].patterns == (*four)[g].patterns);
    CHECK((*one)[g].keys == (*four)[g].keys);
    CHECK(std::ranges::is_sorted((*four)[g].patterns));
  }
}

TEST_CASE("slices are joined to as few parts as fit, and one that does not fit stands alone") {
  const std::vector<SitePart> slices = {
      {{0, 10}, 3}, {{10, 20}, 4}, {{20, 30}, 9}, {{30, 40}, 1}, {{40, 45}, 2}};
  const auto parts_of = [&](std::uint64_t most) {
    std::vector<std::pair<std::size_t, std::uint64_t>> parts;
    for (const SliceRun& run :
         join_slices(slices, [most](const SitePart& part) { return part.sites <= most; })) {
      CHECK(run.part.starts.begin == slices[run.first].starts.begin);
      CHECK(run.part.starts.end == slices[run.last - 1].starts.end);
      parts.emplace_back(run.last, run.part.sites);
    }
    return parts;
  };
  using Parts = std::vector<std::pair<std::size_t, std::uint64_t>>;
  CHECK(parts_of(100) == Parts{{5, 19}});
  CHECK(parts_of(7) == Parts{{2, 7}, {3, 9}, {5, 3}});
  CHECK(parts_of(0) == Parts{{1, 3}, {2, 4}, {3, 9}, {4, 1}, {5, 2}});
  CHECK(join_slices({}, [](const SitePart&) { return true; }).empty());
}

// Regions of records: what lies within them, and searches that keep only that.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "run/patterns.hpp"
#include "search/exact/cpu_searcher.hpp"
#include "search/mismatches/region_searcher.hpp"
#include "support/plain_mismatches.hpp"
#include "support/scan.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "text/text_regions.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Random regions of a text of few records, and which symbols they hold.
struct RegionCase {
  explicit RegionCase(Random& random) {
    std::vector<std::string> sequences;
    for (std::uint64_t i = 1 + below(random, 4); i > 0; --i) {
      sequences.push_back(random_string(random, 1 + below(random, 90), "ACGT"));
      for (char& symbol : sequences.back())
        if (below(random, 15) == 0) symbol = 'N';
    }
    sequences.front().front() = 'A';  // some symbol to index
    text = make_text(sequences);
    for (const std::string& sequence : sequences)
      held.emplace_back(sequence.size(), false);
    for (std::uint64_t i = below(random, 9); i > 0; --i) {
      const std::uint64_t record = below(random, sequences.size());
      const std::uint64_t length = sequences[record].size(), begin = below(random, length + 1);
      const std::uint64_t end = begin + below(random, length - begin + 1);
      ranges.push_back({record, begin, end});
      for (std::uint64_t at = begin; at < end; ++at)
        held[record][at] = true;
    }
  }
  TextRegions regions() const { return {text.view().segments, text.records_view(), ranges}; }
  /// Whether all symbols of a stretch of a record are held, which may go round it.
  bool holds(std::uint64_t record, std::uint64_t begin, std::uint64_t length) const {
    for (std::uint64_t i = 0; i < length; ++i)
      if (!held[record][(begin + i) % held[record].size()]) return false;
    return true;
  }
  bool holds(const Hit& hit, std::uint64_t length) const {
    const std::uint64_t segment = text.view().segments.segment_at(hit.position());
    return holds(
        text.segment_records[segment],
        text.segment_offsets[segment] + hit.position() - text.view().segments.starts[segment],
        length);
  }

  Text text;
  std::vector<RecordRange> ranges;
  std::vector<std::vector<bool>> held;
};

/// The hits of each pattern, as the chunks of a search have them, and their numbers.
struct FoundHits {
  std::vector<std::vector<Hit>> hits;
  std::vector<std::uint64_t> totals;

  HitSink sink() {
    return [this](const HitChunk& chunk) {
      std::uint64_t next = 0;
      for (std::size_t i = 0; i < chunk.patterns(); ++i) {
        const bool goes_on = i == 0 && chunk.before != 0;
        REQUIRE(hits.size() == chunk.first + i + (goes_on ? 1 : 0));
        if (!goes_on) totals.push_back(chunk.counts[i].total());
        if (!goes_on) hits.emplace_back();
        for (; next < chunk.ends[i]; ++next)
          hits.back().push_back(chunk.hits[next]);
      }
    };
  }
  /// Those that the regions hold, at most `most` of a pattern.
  template <class Batch>
  FoundHits within(const RegionCase& drawn, const Batch& patterns, std::uint64_t most) const {
    FoundHits kept;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      kept.hits.emplace_back();
      for (const Hit& hit : hits[i])
        if (drawn.holds(hit, patterns[i].size())) kept.hits[i].push_back(hit);
      kept.totals.push_back(kept.hits[i].size());
      keep_fewest_mismatches(kept.hits[i], most);
    }
    return kept;
  }
};

}  // namespace

TEST_CASE("regions hold what lies within one, joined where they touch, also round a circle") {
  Random random(run_seed());
  for (int n = 0; n < 300; ++n) {
    const RegionCase drawn(random);
    const TextRegions regions = drawn.regions();
    const SegmentsView segments = drawn.text.view().segments;
    for (std::uint64_t record = 0; record < drawn.held.size(); ++record) {
      const std::uint64_t length = drawn.held[record].size();
      for (std::uint64_t begin = 0; begin < length; ++begin) {
        const std::uint64_t end = regions.end_from(record, begin);
        for (std::uint64_t size = 1; size <= length; ++size)
          if ((begin + size <= end) != drawn.holds(record, begin, size))
            FAIL("record " << record << ", " << size << " symbols from " << begin);
      }
    }
    // The stretches cover what is held of each segment, and nothing else.
    std::vector<bool> covered(drawn.text.length(), false);
    std::uint64_t last = 0, asked = 0;
    const auto stretches = regions.stretches([&](std::uint64_t bytes) { asked = bytes; });
    for (const TextStretch& stretch : stretches) {
      REQUIRE((stretch.begin >= last && stretch.begin < stretch.end));
      last = stretch.end;
      for (std::uint64_t at = stretch.begin; at < stretch.end; ++at)
        covered[at] = true;
    }
    CHECK(asked == stretches.size() * sizeof(TextStretch));
    for (std::uint64_t s = 0; s < segments.count; ++s)
      for (std::uint64_t at = segments.starts[s]; at + 1 < segments.starts[s + 1]; ++at)
        REQUIRE(covered[at] == drawn.holds(Hit(at, false), 1));
  }
}

TEST_CASE("searches within regions keep the hits that lie in one, and count these") {
  Random random(run_seed());
  for (int n = 0; n < 60; ++n) {
    RegionCase drawn(random);
    if (drawn.text.length() == 0) continue;
    const TextRegions regions = drawn.regions();
    std::vector<std::string> letters;
    for (int i = 0; i < 12; ++i)
      letters.push_back(random_string(random, 1 + below(random, 5), "ACGT"));
    const std::uint64_t mosts[] = {unlimited, 0, 1, 3};
    const std::uint64_t most = mosts[below(random, 4)];
    const std::uint64_t rooms[] = {1, 5, std::uint64_t{1} << 22};
    const SearchMemory memory{.hits_at_once = rooms[below(random, 3)]};

    // With mismatches.
    SetPatternBuffer sets;
    for (const std::string& pattern : letters)
      sets.add(pattern, false);
    const MismatchRequest request{Strands::both, 1, most};
    FoundHits all, found;
    const auto open = [&] {
      return std::make_unique<PlainMismatchSearcher>(drawn.text.view(), memory);
    };
    open()->stream(sets.patterns(), {Strands::both, 1}, all.sink());
    const RegionSearcherOf<MismatchSearch> mismatched(open(), regions);
    mismatched.stream(sets.patterns(), request, found.sink());
    FoundHits expected = all.within(drawn, sets.patterns(), most);
    CHECK(found.hits == expected.hits);
    CHECK(found.totals == expected.totals);
    MismatchCounts by_mismatches;
    mismatched.count(sets.patterns(), request, by_mismatches);
    for (std::size_t i = 0; i < letters.size(); ++i)
      CHECK(by_mismatches.total(i).total() == expected.totals[i]);

    // Exactly.
    const FmIndex fm = make_cpu_backend()->build_index(drawn.text.view(), {});
    const Index index = Index::of(index_image(drawn.text, fm, 1), 1);
    PatternBuffer buffer;
    const std::vector<std::string_view> views(letters.begin(), letters.end());
    buffer.encode(views, index.alphabet());
    const auto open_exact = [&] {
      return std::make_unique<CpuSearcher>(index, memory, best_cpu_path());
    };
    FoundHits all_exact, exact;
    open_exact()->stream(buffer.patterns(), {}, all_exact.sink());
    const RegionSearcherOf<ExactSearch> searcher(open_exact(), regions);
    searcher.stream(buffer.patterns(), {Strands::both, most}, exact.sink());
    expected = all_exact.within(drawn, buffer.patterns(), most);
    CHECK(exact.hits == expected.hits);
    CHECK(exact.totals == expected.totals);
    std::vector<StrandCounts> counts;
    searcher.count(buffer.patterns(), Strands::both, counts);
    for (std::size_t i = 0; i < letters.size(); ++i)
      CHECK(counts[i].total() == expected.totals[i]);
  }
}

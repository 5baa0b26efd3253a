// The bit-sliced scan against a comparison of every place, on random and on awkward texts. A
// failure names the seed of its case: GSX_SEED=SEED GSX_CASES=1 repeats it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "scan/bit_block.hpp"
#include "scan/plain_searcher.hpp"
#include "scan/scan_searcher.hpp"
#include "support/scan.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// What a searcher finds, chunk after chunk.
struct Found {
  std::vector<StrandCounts> counts;
  std::vector<std::vector<Hit>> hits;  ///< of each pattern
};

/// Streams the hits, and checks that the chunks keep their rules.
Found stream(const MismatchSearcher& searcher, const SetPatterns& patterns,
             const MismatchRequest& request, std::uint64_t at_once) {
  Found found;
  searcher.stream_hits(patterns, request, [&](const HitChunk& chunk) {
    REQUIRE(chunk.patterns() > 0);
    REQUIRE(chunk.ends.size() == chunk.patterns());
    REQUIRE(chunk.ends.back() == chunk.hits.size());
    CHECK(chunk.hits.size() <= std::max<std::uint64_t>(1, at_once));
    CHECK(chunk.max_hits == request.max_hits);
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::size_t pattern = chunk.first + i;
      REQUIRE(pattern <= found.hits.size());
      if (pattern == found.hits.size()) {
        found.hits.emplace_back();
        found.counts.push_back(chunk.counts[i]);
      }
      REQUIRE(pattern + 1 == found.hits.size());
      if (i == 0) CHECK(chunk.before == found.hits[pattern].size());
      const std::uint64_t begin = i == 0 ? 0 : chunk.ends[i - 1];
      for (std::uint64_t at = begin; at < chunk.ends[i]; ++at)
        found.hits[pattern].push_back(chunk.hits[at]);
    }
  });
  return found;
}

bool same(const MismatchCounts& a, const MismatchCounts& b) {
  if (a.patterns() != b.patterns() || a.classes() != b.classes()) return false;
  for (std::size_t i = 0; i < a.patterns(); ++i)
    for (const bool reverse : {false, true})
      if (!std::ranges::equal(a.of(i, reverse), b.of(i, reverse))) return false;
  return true;
}

std::vector<CpuPath> paths() {
  std::vector<CpuPath> paths{CpuPath::baseline};
  if (best_cpu_path() != CpuPath::baseline) paths.push_back(best_cpu_path());
  return paths;
}

/// Compares the scan, in each way that it can be compiled, with PlainMismatchSearcher.
void check(const Text& text, const SetPatterns& patterns, const MismatchRequest& request,
           std::uint64_t at_once, int threads) {
  const PlainMismatchSearcher plain(text.view(), {.hits_at_once = at_once});
  MismatchCounts expected;
  plain.count(patterns, request, expected);
  const Found expected_hits = stream(plain, patterns, request, at_once);
  for (const CpuPath path : paths()) {
    CAPTURE(static_cast<int>(path));
    const ScanSearcher scan(text.view(), threads, {.hits_at_once = at_once}, path);
    MismatchCounts counts;
    scan.count(patterns, request, counts);
    CHECK(same(counts, expected));
    const Found hits = stream(scan, patterns, request, at_once);
    REQUIRE(hits.hits.size() == patterns.size());
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      CAPTURE(i);
      CHECK(hits.hits[i] == expected_hits.hits[i]);
      CHECK(hits.counts[i].forward == expected_hits.counts[i].forward);
      CHECK(hits.counts[i].reverse == expected_hits.counts[i].reverse);
    }
  }
}

std::string random_record(Random& random) {
  const std::uint64_t length = below(random, 4) == 0 ? below(random, 9000) : below(random, 70);
  const std::string_view symbols = std::string_view("ACGT").substr(0, 1 + below(random, 4));
  std::string record;
  switch (below(random, 5)) {
    case 0:
      record = std::string(length, "ACGT"[below(random, 4)]);
      break;
    case 1:
      record = mutated_copies(random, 1 + below(random, 90), 1 + length / 40, 30, "ACGT");
      break;
    default:
      record = random_string(random, length, symbols);
  }
  for (std::uint64_t runs = below(random, 4); runs > 0 && !record.empty(); --runs)
    record.replace(below(random, record.size()), 1 + below(random, 20), 1 + below(random, 30), 'N');
  return record;
}

/// A piece of a record, changed here and there; or letters that need not occur.
std::vector<BaseSet> random_pattern(Random& random, const std::vector<std::string>& records) {
  const std::uint64_t kinds[] = {6, 24, 66, 130, 260};
  const std::uint64_t length = 1 + below(random, kinds[below(random, 5)]);
  const std::string& record = records[below(random, records.size())];
  std::string letters = random_string(random, length, "ACGT");
  if (!record.empty() && below(random, 5) != 0) {
    const std::uint64_t at = below(random, 3) == 0 ? 0 : below(random, record.size());
    letters = record.substr(at, length);
    if (below(random, 3) == 0) letters = record.substr(record.size() - letters.size());
  }
  const std::uint64_t odd = below(random, 4);
  std::vector<BaseSet> sets;
  for (const char letter : letters) {
    BaseSet set = iupac_base_set(letter);
    if (odd == 1 && below(random, 4) == 0) set = static_cast<BaseSet>(set | below(random, 16));
    if (odd == 2 && below(random, 8) == 0) set = static_cast<BaseSet>(below(random, 16));
    if (odd != 0 && below(random, 10) == 0) set |= base_sets::must_match;
    sets.push_back(set);
  }
  if (below(random, 6) == 0) {  // a palindrome
    const std::vector<BaseSet> other = reverse_complement_of(sets);
    sets.insert(sets.end(), other.begin(), other.end());
  }
  if (below(random, 40) == 0) sets.clear();
  return sets;
}

void run_case(std::uint64_t seed) {
  CAPTURE(seed);
  Random random(seed);
  std::vector<std::string> records;
  const std::uint64_t count = 1 + below(random, below(random, 4) == 0 ? 400 : 5);
  for (std::uint64_t i = 0; i < count; ++i)
    records.push_back(random_record(random));
  records.push_back("ACG");
  const Text text = text_of(records);

  SetPatternBuffer patterns;
  for (std::uint64_t i = below(random, 12); i > 0; --i)
    patterns.add(random_pattern(random, records));
  MismatchRequest request;
  request.strands =
      std::vector{Strands::both, Strands::forward, Strands::reverse}[below(random, 3)];
  request.mismatches = static_cast<std::uint32_t>(below(random, 13));
  if (below(random, 20) == 0) request.mismatches = static_cast<std::uint32_t>(below(random, 256));
  const std::uint64_t caps[] = {0, 1, 2, 10, 1000, unlimited};
  request.max_hits = caps[below(random, 6)];
  const std::uint64_t rooms[] = {1, 2, 7, 100, 5000, std::uint64_t{1} << 22};
  check(text, patterns.patterns(), request, rooms[below(random, 6)],
        static_cast<int>(1 + below(random, 3)));
}

}  // namespace

TEST_CASE("a scan finds what a comparison of every place finds") {
  const char* const given = std::getenv("GSX_CASES");
  const std::uint64_t cases = given != nullptr ? std::strtoull(given, nullptr, 10) : 60;
  for (std::uint64_t i = 0; i < cases; ++i)
    run_case(run_seed() + i);
}

TEST_CASE("a scan sees each border of a block and of a word") {
  Random random(run_seed());
  constexpr std::uint64_t block = BitBlock::positions;
  const std::string pattern = random_string(random, 33, "ACGT");
  for (const std::uint64_t size : {block - 1, block, block + 1, 2 * block, 3 * block + 40}) {
    for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{64 - 33}, std::uint64_t{255},
                                   block - 34, block - 33, block - 32, block - 1, block}) {
      CAPTURE(size);
      CAPTURE(at);
      std::string record = random_string(random, size, "ACGT");
      if (at + pattern.size() <= record.size()) record.replace(at, pattern.size(), pattern);
      record.replace(record.size() - pattern.size(), pattern.size(), pattern);
      const Text text = text_of({record, pattern, "A", pattern.substr(1), pattern});
      SetPatternBuffer patterns;
      patterns.add(pattern, false);
      check(text, patterns.patterns(), {Strands::both, 3}, 100, 1);
    }
  }
}

TEST_CASE("a scan of a run counts and caps a hit at every place") {
  const Text text = text_of({std::string(10000, 'A'), std::string(700, 'T')});
  SetPatternBuffer patterns;
  for (const char* letters : {"AAAAAAAA", "AAAATTTT", "TTTT", "AAAACAAAAAAA", "WWWWWWNW"})
    patterns.add(letters, true);
  for (const std::uint64_t most :
       {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{9000}, unlimited})
    for (const std::uint64_t at_once : {1, 100, 30000, 1 << 22})
      check(text, patterns.patterns(), {Strands::both, 2, most}, at_once, 2);
}

TEST_CASE("many patterns of many lengths are scanned in groups") {
  Random random(run_seed());
  std::vector<std::string> records;
  for (int i = 0; i < 300; ++i)
    records.push_back(random_string(random, below(random, 40), "ACGT"));
  const Text text = text_of(records);
  SetPatternBuffer patterns;
  for (int i = 0; i < 5000; ++i)
    patterns.add(random_string(random, 1 + below(random, 20), "ACGT"), false);
  check(text, patterns.patterns(), {Strands::both, 1, 5}, 1000, 2);
}

// Searching by keys in little memory: the same places, in tables that stay as small as they must.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "search/mismatches/key_layout.hpp"
#include "search/mismatches/scan_searcher.hpp"
#include "support/mismatch_cases.hpp"
#include "support/plain_mismatches.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Pieces of a record, with codes of two bases at every third position.
SetPatternBuffer degenerate_pieces(Random& random, const std::string& record, int count) {
  SetPatternBuffer patterns;
  for (int i = 0; i < count; ++i) {
    std::string letters = record.substr(below(random, record.size() - 24), 20);
    for (std::size_t at = 1; at < letters.size(); at += 3)
      letters[at] = letters[at] == 'A' || letters[at] == 'G' ? 'R' : 'Y';
    patterns.add(letters, true);
  }
  return patterns;
}

constexpr KeyCosts costs{
    1e-9, 5e-9, 100e-9, 24,
    [](std::span<const BaseSet> /*pattern*/, std::uint32_t /*mismatches*/) { return 1.0; }};

}  // namespace

TEST_CASE("a layout of keys takes no more memory than it may") {
  Random random(3);
  const SetPatternBuffer patterns =
      degenerate_pieces(random, random_string(random, 5000, "ACGT"), 200);
  const MismatchRequest request{Strands::both, 2};
  const auto best = choose_key_layout(patterns.patterns(), request, costs);
  REQUIRE(best);
  CHECK(best->bytes > 10000);
  for (std::uint64_t most = best->bytes; most > 1000; most /= 2) {
    const auto layout = choose_key_layout(patterns.patterns(), request, costs, most);
    if (layout) CHECK(layout->bytes <= most);
  }
  CHECK_FALSE(choose_key_layout(patterns.patterns(), request, costs, 100));
}

TEST_CASE("keys in little memory find what a comparison of every place finds") {
  Random random(4);
  const std::string record = random_string(random, 3000, "ACGT");
  const Text text = text_of_records({record, record.substr(100, 200), "ACGT"});
  const SetPatternBuffer patterns = degenerate_pieces(random, record, 150);
  // Tables take at most 8 bytes per hit.
  for (const std::uint64_t at_once : {1, 100, 5000, 60000, 1 << 22}) {
    CAPTURE(at_once);
    const PlainMismatchSearcher plain(text.view(), {.hits_at_once = at_once});
    const ScanSearcher keys(text.view(), 2, {.hits_at_once = at_once}, best_cpu_path(),
                            ScanBy::keys);
    for (const std::uint32_t mismatches : {0, 2})
      check_same(keys, plain, patterns.patterns(), {Strands::both, mismatches}, at_once);
  }
}

TEST_CASE("a key that thousands of patterns have finds each of them") {
  const Text text = text_of_records({std::string(3000, 'A') + "C" + std::string(40, 'A')});
  SetPatternBuffer patterns;
  for (int i = 0; i < 3000; ++i)
    patterns.add(std::string(20, 'A') + "ACGT"[i % 4], false);
  const ScanSearcher keys(text.view(), 1, {}, best_cpu_path(), ScanBy::keys);
  const ScanSearcher planes(text.view(), 1, {}, best_cpu_path());
  MismatchCounts found, expected;
  for (const std::uint32_t mismatches : {0, 2}) {
    keys.count(patterns.patterns(), {Strands::both, mismatches}, found);
    planes.count(patterns.patterns(), {Strands::both, mismatches}, expected);
    CHECK(same(found, expected));
  }
}

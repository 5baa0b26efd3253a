// Searching by pieces gives the places that the simplest search with mismatches gives, in the same
// order, for every text, pattern, number of mismatches, cap and number of hits held.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "search/mismatches/scan_searcher.hpp"
#include "search/mismatches/seed_searcher.hpp"
#include "support/plain_mismatches.hpp"
#include "support/seed_cases.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

Index index_of(const Text& text, Random& random) {
  BuildOptions build;
  build.threads = 1;
  build.sample_rate = static_cast<std::uint32_t>(1 + below(random, 20));
  if (below(random, 4) != 0) build.kmer_length = static_cast<std::uint32_t>(below(random, 8));
  return Index::of(index_image(text, make_cpu_backend()->build_index(text.view(), build), 1), 1);
}

void check_request(const Index& index, const SetPatterns& patterns, const MismatchRequest& request,
                   std::uint64_t at_once, const SeedTuning& tuning, CpuPath path) {
  CAPTURE(request.mismatches);
  CAPTURE(request.max_hits);
  CAPTURE(at_once);
  CAPTURE(tuning.scan_factor);
  const SearchMemory memory{.hits_at_once = at_once};
  const PlainMismatchSearcher plain(index.text(), memory);
  const ScanSearcher scan(index.text(), 1, memory, path);
  const SeedSearcher seeds(index, scan, memory, path, tuning);
  check_like(plain, seeds, patterns, request, at_once);
}

/// Searches a text in several ways for patterns of it.
void check_text(Random& random, const std::vector<std::string>& records, int patterns) {
  const Text text = gsx::testing::make_text(records);
  const Index index = index_of(text, random);
  const SetPatternBuffer buffer = draw_patterns(random, records, patterns);
  const std::uint64_t sizes[] = {1, 2, 7, 100000};
  const double factors[] = {1, 0, 1e9};
  for (const double factor : factors) {
    MismatchRequest request;
    request.strands = static_cast<Strands>(below(random, 3));
    if (below(random, 2) == 0) request.strands = Strands::both;
    request.mismatches = static_cast<std::uint32_t>(below(random, 9));
    if (below(random, 2) == 0) request.max_hits = below(random, 8);
    SeedTuning tuning;
    tuning.scan_factor = factor;
    tuning.least_piece = static_cast<std::uint32_t>(1 + below(random, 5));
    tuning.width = below(random, 2) == 0 ? PositionWidth::wide : PositionWidth::automatic;
    tuning.least_copied = below(random, 2) == 0 ? 0 : HugePageFm::worth_copying;
    check_request(index, buffer.patterns(), request, sizes[below(random, 4)], tuning,
                  below(random, 2) == 0 ? CpuPath::baseline : best_cpu_path());
  }
}

}  // namespace

TEST_CASE("seeds find what comparing every place finds, in texts that are hard to search") {
  std::uint64_t seed = run_seed();
  for (const std::vector<std::string>& records : thinned(adversarial_collections(seed))) {
    ++seed;
    CAPTURE(seed);
    Random random(seed);
    check_text(random, records, 12);
  }
}

TEST_CASE("seeds find what comparing every place finds, in random texts") {
  for (int round = 0; round < rounds(60); ++round) {
    const std::uint64_t seed = run_seed() + static_cast<std::uint64_t>(round);
    CAPTURE(seed);
    Random random(seed);
    std::vector<std::string> records;
    for (std::uint64_t i = 1 + below(random, 5); i > 0; --i) {
      const std::uint64_t length = below(random, below(random, 3) == 0 ? 2000 : 100);
      const std::string some = random_string(random, 1 + below(random, 60), "ACGT");
      std::string record;
      while (record.size() < length) {  // tandem repeats, runs of N, and plain sequence
        switch (below(random, 4)) {
          case 0:
            record += some;
            break;
          case 1:
            record += std::string(1 + below(random, 5), 'N');
            break;
          default:
            record += random_string(random, 1 + below(random, 90), "ACGT");
        }
      }
      records.push_back(record);
    }
    records.push_back("ACG");  // there must be some base
    check_text(random, records, 20);
  }
}

TEST_CASE("a text of one repeat has more places than are held") {
  Random random(run_seed());
  std::string record = mutated_copies(random, 60, 150, 40, "ACGT");
  const Text text = gsx::testing::make_text({record, record.substr(0, 100)});
  const Index index = index_of(text, random);
  SetPatternBuffer buffer;
  buffer.add(record.substr(0, 30), false);
  buffer.add(record.substr(3, 50), false);
  buffer.add(std::string(50, 'A'), false);
  buffer.add(record.substr(7, 40), false);
  for (const std::uint64_t at_once : {1, 2, 7, 64}) {
    for (const std::uint64_t most : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3},
                                     std::uint64_t{20}, std::uint64_t{70}, unlimited}) {
      SeedTuning tuning;
      tuning.scan_factor = most % 2 == 0 ? 1e9 : 1;
      check_request(index, buffer.patterns(), {Strands::both, 5, most}, at_once, tuning,
                    best_cpu_path());
    }
  }
}

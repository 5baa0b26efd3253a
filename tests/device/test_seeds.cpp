// Searching with pieces on the GPU gives what comparing every place gives.
#include <doctest/doctest.h>

#include <algorithm>

#include "backend/registry.hpp"
#include "kernels/runtime/device_link.hpp"
#include "kernels/scan/cuda_seed_searcher.hpp"
#include "scan/plain_searcher.hpp"
#include "scan/scan_searcher.hpp"
#include "store/writer.hpp"
#include "support/gpu.hpp"
#include "support/seed_cases.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

Index index_of(const Text& text) {
  BuildOptions build;
  build.sample_rate = 4;
  return Index::of(index_image(text, make_cpu_backend()->build_index(text.view(), build), 1), 1);
}

void check_text(Random& random, const std::vector<std::string>& records, int count) {
  const Text text = gsx::testing::make_text(records);
  const Index index = index_of(text);
  const SetPatternBuffer buffer = draw_patterns(random, records, count);
  const SetPatterns patterns = buffer.patterns();
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  const PlainMismatchSearcher plain(index.text());
  const ScanSearcher scan(index.text(), 1, {}, best_cpu_path());
  for (int round = 0; round < 4; ++round) {
    MismatchRequest request;
    request.strands = static_cast<Strands>(below(random, 3));
    request.mismatches = static_cast<std::uint32_t>(below(random, 6));
    if (round % 2 == 1) request.max_hits = below(random, 8);
    cuda::SeedOptions options;
    options.search.width = round % 2 == 0 ? PositionWidth::automatic : PositionWidth::wide;
    options.search.whole_suffix_array = below(random, 3) != 0;
    options.search.verify = below(random, 3) != 0;
    options.search.host_hits = round == 3 ? 5 : 1000;
    if (round == 2) options.search.device_hits = 1 + below(random, 50);
    if (round >= 1) options.first_room = 1 + below(random, 20);
    CAPTURE(request.mismatches);
    CAPTURE(request.max_hits);
    CAPTURE(options.search.device_hits);
    const auto seeds = cuda::make_seed_searcher(index, gpu.pool(), gpu.transfer(2), scan, options);
    const Hits expected = hits_of(plain, patterns, request, unlimited);
    const Hits found = hits_of(*seeds, patterns, request, unlimited);
    CHECK(found.hits == expected.hits);
    CHECK(found.hit_ends == expected.hit_ends);
    MismatchCounts expected_counts, counts;
    plain.count(patterns, request, expected_counts);
    seeds->count(patterns, request, counts);
    std::uint64_t unlike = 0;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      for (const bool reverse : {false, true})
        unlike += !std::ranges::equal(counts.of(i, reverse), expected_counts.of(i, reverse));
    }
    CHECK(unlike == 0);
  }
}

}  // namespace

TEST_CASE("seeds: texts that are hard to search") {
  GSX_NEED_GPU();
  Random random(71);
  const auto collections = adversarial_collections(7);
  for (std::size_t i = 0; i < collections.size(); i += test_share())
    check_text(random, collections[i], 25);
}

TEST_CASE("seeds: many patterns, and repeats with many rows") {
  GSX_NEED_GPU();
  Random random(72);
  check_text(random, {random_string(random, share_of(50000), "ACGT")}, 400);
  check_text(
      random,
      {mutated_copies(random, 150, static_cast<std::uint64_t>(share_of(200)), 200, "ACGT"), "ACGT"},
      static_cast<int>(share_of(200)));
}

namespace {

/// A search that counts how many patterns it is asked for.
class CountedScan final : public MismatchWay {
 public:
  explicit CountedScan(const MismatchSearcher& searcher) : searcher_(searcher) {}
  std::string_view name() const override { return "counted"; }
  double cost(const SetPatterns& patterns, const MismatchRequest&) const override {
    return static_cast<double>(patterns.size());
  }
  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    asked += patterns.size();
    searcher_.count(patterns, request, counts);
  }
  void stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                   const HitSink& sink) const override {
    asked += patterns.size();
    searcher_.stream_hits(patterns, request, sink);
  }
  mutable std::size_t asked = 0;

 private:
  const MismatchSearcher& searcher_;
};

}  // namespace

TEST_CASE("seeds: a short query among long ones is scanned for alone") {
  GSX_NEED_GPU();
  Random random(73);
  const std::string record = random_string(random, share_of(50000, 5000), "ACGT");
  const Text text = gsx::testing::make_text({record});
  const Index index = index_of(text);
  SetPatternBuffer patterns;
  const auto queries = static_cast<int>(share_of(3000, 300));
  for (int i = 0; i < queries; ++i)
    patterns.add(record.substr(below(random, record.size() - 150), i == queries / 2 ? 14 : 150),
                 false);
  const PlainMismatchSearcher plain(index.text());
  const CountedScan scan(plain);
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  const auto seeds = cuda::make_seed_searcher(index, gpu.pool(), gpu.transfer(2), scan, {});
  const MismatchRequest request{Strands::both, 3};
  const double all = seeds->cost(patterns.patterns(), request);
  const double first =
      seeds->cost(patterns.patterns().some(0, static_cast<std::size_t>(queries) / 2), request);
  CHECK(all > 1);
  CHECK(all < 1.1);
  CHECK(first < 0.1);
  const Hits expected = hits_of(plain, patterns.patterns(), request, unlimited);
  const Hits found = hits_of(*seeds, patterns.patterns(), request, unlimited);
  CHECK(scan.asked == 1);
  CHECK(found.hits == expected.hits);
  CHECK(found.hit_ends == expected.hit_ends);
}

// Searching with pieces on the GPU gives what comparing every place gives.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/search/mismatches/cuda_seed_searcher.hpp"
#include "search/mismatches/scan_searcher.hpp"
#include "support/gpu.hpp"
#include "support/plain_mismatches.hpp"
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
    if (round == 3) options.search.extras = {.rows = 0, .symbols = 1000};
    if (round == 2) options.search.device_hits = 1 + below(random, 50);
    if (round >= 1) options.first_room = 1 + below(random, 20);
    CAPTURE(options.search.device_hits);
    const auto seeds = cuda::make_seed_searcher(index, gpu.pool(), gpu.transfer(2), scan, options);
    check_like(plain, *seeds, patterns, request);
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

TEST_CASE("seeds: thousands of places of a pattern, and ties between strands and positions") {
  GSX_NEED_GPU();
  Random random(74);
  const auto repeated = [](const std::string& unit, std::uint64_t times) {
    std::string all;
    for (std::uint64_t i = 0; i < times; ++i)
      all += unit;
    return all;
  };
  // A unit that is its own reverse complement has each place on both strands.
  std::vector<std::string> records = {repeated("ACGGTCA", share_of(3000, 300)),
                                      repeated("ACGT", share_of(3000, 400)),
                                      random_string(random, 500, "ACGT")};
  for (std::string& record : records) {  // so that classes mix
    for (std::uint64_t i = record.size() / 100; i > 0; --i)
      record[below(random, record.size())] = "ACGTN"[below(random, 5)];
  }
  SetPatternBuffer buffer;
  for (int i = 0; i < 24; ++i) {
    const std::string& record = records[static_cast<std::size_t>(i) % 3];
    std::string pattern = record.substr(below(random, record.size() - 80), 44 + below(random, 36));
    for (std::uint64_t k = below(random, 3); k > 0; --k)
      pattern[below(random, pattern.size())] = "ACGT"[below(random, 4)];
    buffer.add(i == 5 ? pattern.substr(0, 12) : pattern, i % 4 == 0);
  }
  const Text text = gsx::testing::make_text(records);
  const Index index = index_of(text);
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  const PlainMismatchSearcher plain(index.text());
  for (int round = 0; round < 3; ++round) {
    cuda::SeedOptions options;
    options.search.width = round == 1 ? PositionWidth::wide : PositionWidth::automatic;
    options.search.device_hits = round == 2 ? 1000 : options.search.device_hits;
    options.search.host_hits = round == 1 ? 200 : options.search.host_hits;
    options.first_room = round == 0 ? 0 : 50;
    const SearchMemory memory{.hits_at_once = options.search.host_hits};
    const ScanSearcher scan(index.text(), 1, memory, best_cpu_path());
    const auto seeds = cuda::make_seed_searcher(index, gpu.pool(), gpu.transfer(2), scan, options);
    for (const std::uint64_t most : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2},
                                     std::uint64_t{10}, std::uint64_t{100}, unlimited}) {
      MismatchRequest request{Strands::both, static_cast<std::uint32_t>(below(random, 4)), most};
      if (below(random, 3) == 0) request.strands = static_cast<Strands>(1 + below(random, 2));
      check_like(plain, *seeds, buffer.patterns(), request, options.search.host_hits);
    }
  }
}

TEST_CASE("seeds: with little memory, fewer patterns are searched at a time") {
  GSX_NEED_GPU();
  Random random(75);
  const std::vector<std::string> records = {
      mutated_copies(random, 150, static_cast<std::uint64_t>(share_of(200, 20)), 200, "ACGT")};
  const Text text = gsx::testing::make_text(records);
  const Index index = index_of(text);
  SetPatternBuffer patterns;
  for (int i = 0; i < 100; ++i)
    patterns.add(records[0].substr(below(random, records[0].size() - 150), 150), false);
  const PlainMismatchSearcher plain(index.text());
  const ScanSearcher scan(index.text(), 1, {}, best_cpu_path());
  int failed = 0, searched = 0;
  for (std::uint64_t limit = 1 << 13; searched < 4; limit += limit / 3) {
    CAPTURE(limit);
    cuda::DeviceLink gpu(0, limit);
    const cuda::CurrentDevice current = gpu.make_current();
    const auto seeds = cuda::make_seed_searcher(index, gpu.pool(), gpu.transfer(2), scan, {});
    for (const std::uint64_t most : {std::uint64_t{2}, unlimited}) {
      try {
        check_like(plain, *seeds, patterns.patterns(), {Strands::both, 3, most});
        ++searched;
      } catch (const ResourceError&) {
        ++failed;
      }
    }
  }
  CHECK(failed > 0);
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
  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override {
    asked += patterns.size();
    searcher_.stream(patterns, request, sink);
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

// The GPU finds the places with mismatches that the CPU finds.
#include <doctest/doctest.h>

#include "base/parallel.hpp"
#include "device/fallback.hpp"
#include "device/registry.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/search/mismatches/cuda_scan_searcher.hpp"
#include "search/mismatches/scan_searcher.hpp"
#include "support/gpu.hpp"
#include "support/mismatch_cases.hpp"
#include "support/plain_mismatches.hpp"
#include "support/seeds.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("the GPU finds the places with mismatches that a comparison of every place finds") {
  GSX_NEED_GPU();
  cuda::DeviceLink link(0, unlimited);
  const cuda::CurrentDevice current = link.make_current();
  for (std::uint64_t i = 0; i < share_of(200, 10); ++i) {
    CAPTURE(run_seed() + i);
    Random random(run_seed() + i);
    const MismatchCase drawn = random_mismatch_case(random);
    const auto scan = cuda::make_scan_searcher(
        std::make_shared<const cuda::PlacedText>(drawn.text.view(), link.pool(), link.transfer(1)),
        {.host_hits = drawn.at_once, .range_places = 4096});
    const PlainMismatchSearcher plain(drawn.text.view(), {.hits_at_once = drawn.at_once});
    check_same(*scan, plain, drawn.patterns.patterns(), drawn.request, drawn.at_once);
  }
}

TEST_CASE("the GPU finds the places with mismatches of a long text that the CPU finds") {
  GSX_NEED_GPU();
  Random random(run_seed());
  std::vector<std::string> records;
  for (int i = 0; i < 20; ++i)
    records.push_back(random_string(random, share_of(2000 + below(random, 400000), 5000), "ACGT"));
  records.push_back(std::string(share_of(300000, 5000), 'A'));
  const Text text = text_of_records(records);
  SetPatternBuffer patterns;
  for (std::uint64_t i = share_of(300, 30); i > 0; --i)
    patterns.add(records[below(random, 20)].substr(below(random, 2000), 10 + below(random, 70)),
                 false);
  for (const char* letters : {"AAAAAAA", "NNNAGNN", "ACGTACGTACGTACGTACGT", "RYRYRYRYNGG"})
    patterns.add(letters, true);
  cuda::DeviceLink link(0, unlimited);
  const cuda::CurrentDevice current = link.make_current();
  const auto placed =
      std::make_shared<const cuda::PlacedText>(text.view(), link.pool(), link.transfer(1));
  for (const std::uint64_t at_once : {std::uint64_t{1000}, std::uint64_t{1} << 22}) {
    const auto searcher = cuda::make_scan_searcher(placed, {.threads = 2, .host_hits = at_once});
    const ScanSearcher cpu(text.view(), 2, {.hits_at_once = at_once}, best_cpu_path());
    for (const std::uint32_t most : {0, 2, 5})
      for (const std::uint64_t max_hits : {std::uint64_t{3}, unlimited})
        check_same(*searcher, cpu, patterns.patterns(), {Strands::both, most, max_hits}, at_once);
  }
}

TEST_CASE("several threads search with mismatches on the GPU at the same time") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const Text text =
      text_of_records({random_string(random, 200000, "ACGT"), std::string(3000, 'C')});
  SetPatternBuffer patterns;
  for (const char* letters : {"CCCCCCC", "ACGTTGCA", "GATTACAGATTACA"})
    patterns.add(letters, true);
  const ScanSearcher cpu(text.view(), 1, {}, best_cpu_path());
  MismatchCounts expected;
  cpu.count(patterns.patterns(), {Strands::both, 2}, expected);
  const auto searcher = make_cuda_backend(0)->open<MismatchSearch>({{text.view()}, 4});
  std::atomic<int> wrong{0};
  run_threads(4, [&](int) {
    for (int round = 0; round < 20; ++round) {
      MismatchCounts counts;
      searcher->count(patterns.patterns(), {Strands::both, 2}, counts);
      if (!same(counts, expected)) ++wrong;
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("thousands of short patterns have the places that a scan of the GPU finds") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const Text text = text_of_records({random_string(random, share_of(2'000'000, 20'000), "ACGT"),
                                     std::string(3000, 'A'), random_string(random, 5000, "ACGTN")});
  SetPatternBuffer patterns;
  for (std::size_t i = 0; i < share_of(20'000, 500); ++i)
    patterns.add(random_string(random, 16 + below(random, 8), "ACGT"), false);
  patterns.add(std::string(20, 'A'), false);
  cuda::DeviceLink link(0, unlimited);
  const cuda::CurrentDevice current = link.make_current();
  const auto scan = cuda::make_scan_searcher(
      std::make_shared<const cuda::PlacedText>(text.view(), link.pool(), link.transfer(1)), {});
  const auto searcher = make_cuda_backend(0)->open<MismatchSearch>({{text.view()}, 2});
  for (const std::uint32_t most : {0, 2})
    check_same(*searcher, *scan, patterns.patterns(), {Strands::both, most}, 1 << 20);
}

TEST_CASE("without memory on the GPU, places with mismatches are found on the CPU") {
  GSX_NEED_GPU();
  const Text text = text_of_records({std::string(5000, 'A')});
  SetPatternBuffer patterns;
  patterns.add("AAAAAAA", false);
  const auto backend = make_fallback_backend(make_cuda_backend(0, 1024), make_cpu_backend());
  const auto searcher = backend->open<MismatchSearch>({{text.view()}, 1});
  const PlainMismatchSearcher plain(text.view());
  check_same(*searcher, plain, patterns.patterns(), {Strands::both, 1}, 1 << 22);
}

// Keys that the GPU looks up give the places that the CPU finds.
#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

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

namespace {

struct Gpu {
  cuda::DeviceLink link{0, unlimited};
  cuda::CurrentDevice current = link.make_current();

  std::unique_ptr<MismatchWay> keys(const Text& text, std::uint64_t at_once,
                                    std::uint64_t range_places = 4096) {
    return cuda::make_scan_searcher(
        std::make_shared<const cuda::PlacedText>(text.view(), link.pool(), link.transfer(1)),
        {.by = ScanBy::keys, .threads = 2, .host_hits = at_once, .range_places = range_places});
  }
};

/// Pieces of records, as primers are, with a few bases changed, and some IUPAC codes.
SetPatternBuffer draw_primers(Random& random, const std::vector<std::string>& records,
                              std::uint64_t count, bool iupac) {
  SetPatternBuffer primers;
  while (count > 0) {
    const std::string& record = records[below(random, records.size())];
    const std::uint64_t length = 15 + below(random, 16);
    if (record.size() < length) continue;
    std::string letters = record.substr(below(random, record.size() - length + 1), length);
    for (std::uint64_t changes = below(random, 4); changes > 0; --changes)
      letters[below(random, length)] = "ACGT"[below(random, 4)];
    if (iupac && below(random, 3) == 0) {
      for (std::uint64_t codes = 1 + below(random, 4); codes > 0; --codes)
        letters[below(random, length)] = "RYSWKMBDHVN"[below(random, 11)];
    }
    primers.add(letters, true);
    --count;
  }
  return primers;
}

}  // namespace

TEST_CASE("keys: the GPU finds the places that a comparison of every place finds") {
  GSX_NEED_GPU();
  Gpu gpu;
  for (std::uint64_t i = 0; i < share_of(200, 10); ++i) {
    CAPTURE(run_seed() + i);
    Random random(run_seed() + i);
    const MismatchCase drawn = random_mismatch_case(random);
    // Few hits leave little memory for tables; many, enough for all that have keys.
    for (const std::uint64_t at_once : {drawn.at_once, std::uint64_t{1} << 22}) {
      const auto keys = gpu.keys(drawn.text, at_once);
      const PlainMismatchSearcher plain(drawn.text.view(), {.hits_at_once = at_once});
      check_same(*keys, plain, drawn.patterns.patterns(), drawn.request, at_once);
    }
  }
}

TEST_CASE("keys: primers of all lengths among many records and runs of N") {
  GSX_NEED_GPU();
  Random random(run_seed());
  std::vector<std::string> records;
  for (std::uint64_t i = share_of(300, 20); i > 0; --i)
    records.push_back(random_string(random, below(random, 4) == 0 ? below(random, 3000) : 200,
                                    below(random, 10) == 0 ? "AC" : "ACGT"));
  for (std::string& record : records)
    if (below(random, 3) == 0 && !record.empty())
      record.replace(below(random, record.size()), 10, below(random, 60), 'N');
  records.push_back(mutated_copies(random, 100, share_of(60, 10), 20, "ACGT"));
  const Text text = text_of_records(records);
  Gpu gpu;
  for (const bool iupac : {false, true}) {
    CAPTURE(iupac);
    const SetPatternBuffer primers = draw_primers(random, records, share_of(2000, 150), iupac);
    const auto keys = gpu.keys(text, 1 << 22);
    const ScanSearcher cpu(text.view(), 2, {}, best_cpu_path());
    for (const std::uint32_t most : {0, 1, 2, 3}) {
      CAPTURE(most);
      for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse})
        check_same(*keys, cpu, primers.patterns(), {strands, most}, 1 << 22);
      check_same(*keys, cpu, primers.patterns(), {Strands::both, most, 2}, 1 << 22);
    }
  }
}

TEST_CASE("keys: tables that have little memory, and hits that have little") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::vector<std::string> records{random_string(random, share_of(5000, 1200), "ACGT"),
                                         std::string(share_of(2000, 400), 'A'), "ACGT"};
  const Text text = text_of_records(records);
  SetPatternBuffer primers = draw_primers(random, records, share_of(150, 60), true);
  primers.add(std::string(20, 'A'), false);
  Gpu gpu;
  // Tables take at most 8 bytes per hit.
  for (const std::uint64_t at_once : {1, 100, 5000, 60000}) {
    CAPTURE(at_once);
    const auto keys = gpu.keys(text, at_once, 1000);
    const PlainMismatchSearcher plain(text.view(), {.hits_at_once = at_once});
    for (const std::uint64_t max_hits : {std::uint64_t{3}, unlimited})
      check_same(*keys, plain, primers.patterns(), {Strands::both, 2, max_hits}, at_once);
  }
}

TEST_CASE("keys: a key that thousands of patterns have finds each of them") {
  GSX_NEED_GPU();
  const Text text = text_of_records({std::string(3000, 'A') + "C" + std::string(40, 'A')});
  SetPatternBuffer patterns;
  for (std::uint64_t i = 0; i < share_of(3000, 100); ++i)
    patterns.add(std::string(20, 'A') + "ACGT"[i % 4], false);
  Gpu gpu;
  const auto keys = gpu.keys(text, 1 << 22);
  const ScanSearcher cpu(text.view(), 1, {}, best_cpu_path());
  MismatchCounts found, expected;
  for (const std::uint32_t mismatches : {0, 2}) {
    keys->count(patterns.patterns(), {Strands::both, mismatches}, found);
    cpu.count(patterns.patterns(), {Strands::both, mismatches}, expected);
    CHECK(same(found, expected));
  }
}

TEST_CASE("keys: more keys than a sieve tells apart") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::vector<std::string> records{random_string(random, share_of(300'000, 20'000), "ACGT")};
  const Text text = text_of_records(records);
  const SetPatternBuffer primers = draw_primers(random, records, share_of(60'000, 600), false);
  Gpu gpu;
  const auto keys = gpu.keys(text, 1 << 24);
  const ScanSearcher cpu(text.view(), 2, {.hits_at_once = 1 << 24}, best_cpu_path(), ScanBy::keys);
  check_same(*keys, cpu, primers.patterns(), {Strands::both, 2}, 1 << 24);
}

TEST_CASE("keys: several threads search at the same time") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::vector<std::string> records{random_string(random, share_of(2'000'000, 20'000), "ACGT"),
                                         random_string(random, 5000, "ACGTN")};
  const Text text = text_of_records(records);
  const SetPatternBuffer primers = draw_primers(random, records, share_of(4000, 400), true);
  Gpu gpu;
  const auto keys = gpu.keys(text, 1 << 22);
  const ScanSearcher cpu(text.view(), 2, {}, best_cpu_path(), ScanBy::keys);
  MismatchCounts expected;
  cpu.count(primers.patterns(), {Strands::both, 2}, expected);
  std::atomic<int> wrong{0};
  run_threads(4, [&](int) {
    for (std::uint64_t round = 0; round < share_of(5); ++round) {
      MismatchCounts counts;
      keys->count(primers.patterns(), {Strands::both, 2}, counts);
      if (!same(counts, expected)) ++wrong;
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("keys: many short patterns cost less than a scan, and few cost more") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::vector<std::string> records{random_string(random, 1'000'000, "ACGT")};
  const Text text = text_of_records(records);
  const SetPatternBuffer primers = draw_primers(random, records, 4000, false);
  const SetPatterns all = primers.patterns();
  Gpu gpu;
  const auto placed =
      std::make_shared<const cuda::PlacedText>(text.view(), gpu.link.pool(), gpu.link.transfer(1));
  const auto keys = cuda::make_scan_searcher(placed, {.by = ScanBy::keys, .threads = 16});
  const auto scan = cuda::make_scan_searcher(placed, {.threads = 16});
  const MismatchRequest request{Strands::both, 2};
  CHECK(keys->cost(all, request) < scan->cost(all, request));
  CHECK(keys->cost(all.some(0, 10), request) > scan->cost(all.some(0, 10), request));
  const SetPatternBuffer none;
  CHECK(keys->cost(none.patterns(), request) == MismatchWay::impossible);
}

TEST_CASE("keys: without memory for their hits on the GPU, the CPU searches") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::vector<std::string> records{random_string(random, 20'000, "ACGT")};
  const Text text = text_of_records(records);
  const SetPatternBuffer primers = draw_primers(random, records, 400, true);
  const auto backend = make_fallback_backend(make_cuda_backend(0, 1 << 20), make_cpu_backend());
  const auto searcher = backend->open<MismatchSearch>({{text.view()}, 1});
  const PlainMismatchSearcher plain(text.view());
  check_same(*searcher, plain, primers.patterns(), {Strands::both, 1}, 1 << 22);
}

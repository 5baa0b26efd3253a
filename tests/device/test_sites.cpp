// Tables of PAM sites on the GPU give the places that the CPU finds.
#include <doctest/doctest.h>

#include <atomic>

#include "base/parallel.hpp"
#include "device/cpu/cpu_mismatch_searcher.hpp"
#include "device/fallback.hpp"
#include "device/registry.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/search/mismatches/cuda_scan_searcher.hpp"
#include "kernels/search/sites/cuda_site_searcher.hpp"
#include "search/sites/site_searcher.hpp"
#include "support/gpu.hpp"
#include "support/mismatch_cases.hpp"
#include "support/plain_mismatches.hpp"
#include "support/seeds.hpp"
#include "support/site_cases.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Answers nothing: shows that all patterns were looked up in a table.
class NoScan final : public MismatchWay {
 public:
  std::string_view name() const override { return "none"; }
  double cost(const SetPatterns&, const MismatchRequest&) const override { return impossible; }
  void count(const SetPatterns&, const MismatchRequest&, MismatchCounts&) const override {
    FAIL("a pattern was not looked up");
  }
  void stream(const SetPatterns&, const MismatchRequest&, const HitSink&) const override {
    FAIL("a pattern was not looked up");
  }
};

struct Gpu {
  cuda::DeviceLink link{0, unlimited};
  cuda::CurrentDevice current = link.make_current();

  std::shared_ptr<const cuda::PlacedText> place(const Text& text) {
    return std::make_shared<const cuda::PlacedText>(text.view(), link.pool(), link.transfer(1));
  }
};

/// A search by the table of the CPU.
std::unique_ptr<MismatchSearcher> cpu_sites(const Text& text, const SearchMemory& memory) {
  return std::make_unique<SiteSearcher>(
      text.view(), std::make_unique<PlainMismatchSearcher>(text.view(), memory), 2, memory,
      unlimited, best_cpu_path(), 1);
}

/// Smallest slices, of which parts are made.
constexpr std::uint64_t small_slice = 2048;

}  // namespace

TEST_CASE("sites: the GPU finds the guides that a comparison of every place finds") {
  GSX_NEED_GPU();
  Gpu gpu;
  const NoScan none;
  for (std::uint64_t i = 0; i < share_of(150, 6); ++i) {
    CAPTURE(run_seed() + i);
    Random random(run_seed() + i);
    SiteCase drawn =
        random_site_case(random, 10 + below(random, i % 5 == 0 ? 9000 : 900), below(random, 40));
    if (drawn.guide > 12 && i % 4 != 0) drawn.mismatches = std::min(drawn.mismatches, 4u);
    CAPTURE(drawn.guide);
    CAPTURE(drawn.mismatches);
    const std::uint64_t rooms[] = {1, 7, 100, 5000, std::uint64_t{1} << 22};
    const std::uint64_t caps[] = {0, 1, 10, unlimited};
    const Strands strands[] = {Strands::both, Strands::forward, Strands::reverse};
    const std::uint64_t at_once = rooms[below(random, 5)];
    const MismatchRequest request{strands[below(random, 3)], drawn.mismatches,
                                  caps[below(random, 4)]};
    cuda::SiteOptions options{.host_hits = at_once, .range_places = 4096};
    options.slice_places = small_slice;
    // All of it, a few parts, or a part per slice.
    const SiteShape shape = [&] {
      SetPatternBuffer one;
      one.add(guide_pattern(std::string(drawn.guide, 'A'), drawn.pam.letters, drawn.pam.first));
      return *site_shape_of(one.patterns()[0]);
    }();
    std::uint64_t most = 0;
    for (const SitePart& slice : count_sites(drawn.text.view(), shape, 1))
      most += slice.sites;
    const std::uint32_t half = SiteTable::half_bases(most, drawn.guide);
    if (below(random, 2) == 0) {
      options.table_bytes = cuda::DeviceSiteTable::bytes_to_build(
          std::min<std::uint64_t>(most, small_slice * 2), half);
    }
    options.many_guides = below(random, 2) == 0 ? 1 : cuda::DeviceGuides::usual_many;
    const auto sites = cuda::make_site_searcher(gpu.place(drawn.text), none, options);
    const PlainMismatchSearcher plain(drawn.text.view(), {.hits_at_once = at_once});
    check_same(*sites, plain, drawn.guides.patterns(), request, at_once);
    const auto table = cpu_sites(drawn.text, {.hits_at_once = at_once});
    check_same(*sites, *table, drawn.guides.patterns(), request, at_once);
  }
}

TEST_CASE("sites: many guides, each site a guide, and guides with very many sites") {
  GSX_NEED_GPU();
  Gpu gpu;
  const NoScan none;
  Random random(run_seed());
  std::vector<std::string> records;
  for (int i = 0; i < 6; ++i)
    records.push_back(random_string(random, share_of(60000, 3000), "ACGTG"));
  records.push_back(mutated_copies(random, 60, share_of(1500, 40), 12, "ACGT"));
  records.push_back(std::string(share_of(40000, 3000), 'G'));
  records.push_back(std::string(share_of(20000, 2000), 'C') + "A" + std::string(3000, 'G'));
  const Text text = text_of_records(records);
  SetPatternBuffer guides;
  const SiteShape shape = *site_shape_of(guide_pattern(std::string(20, 'A'), "NGG", false));
  std::uint64_t taken = 0;
  SiteScan(text.view(), shape)
      .for_each({0, text.view().length()}, [&](std::uint64_t, bool, std::uint64_t key) {
        if (++taken % (full_tests() ? 7 : 97) != 0) return;
        std::string guide(20, ' ');
        for (std::uint32_t i = 0; i < 20; ++i)
          guide[i] = "ACGT"[key >> 2 * (19 - i) & 3];
        guides.add(guide_pattern(guide, "NGG", false));
      });
  for (const std::uint32_t k : {0u, 3u, 4u, 6u}) {
    CAPTURE(k);
    MismatchCounts expected;
    cpu_sites(text, {})->count(guides.patterns(), {Strands::both, k}, expected);
    for (const std::uint32_t many : {1u, ~0u}) {
      for (const std::uint64_t parts : {1, 3}) {
        cuda::SiteOptions options{.threads = 2, .slice_places = small_slice};
        options.many_guides = many;
        if (parts > 1)
          options.table_bytes =
              cuda::DeviceSiteTable::bytes_to_build(taken / 3, SiteTable::half_bases(taken, 20));
        const auto sites = cuda::make_site_searcher(gpu.place(text), none, options);
        MismatchCounts counts;
        sites->count(guides.patterns(), {Strands::both, k}, counts);
        CHECK(same(counts, expected));
      }
    }
  }
  // Guides of runs of one base have tens of thousands of sites: more than may be held.
  SetPatternBuffer runs;
  for (const char* guide : {"GGGGGGGGGGGGGGGGGGGG", "CCCCCCCCCCCCCCCCCCCC", "GGGGGGGGGGGGGGGGGGGA"})
    runs.add(guide_pattern(guide, "NGG", false));
  for (const std::uint64_t at_once : {std::uint64_t{3000}, std::uint64_t{1} << 22}) {
    for (const std::uint64_t max_hits : {std::uint64_t{5}, unlimited}) {
      const auto sites = cuda::make_site_searcher(
          gpu.place(text), none,
          {.host_hits = at_once, .slice_places = small_slice, .range_places = 8192});
      const MismatchRequest request{Strands::both, 2, max_hits};
      check_same(*sites, *cpu_sites(text, {.hits_at_once = at_once}), runs.patterns(), request,
                 at_once);
    }
  }
}

TEST_CASE("sites: several PAMs in one batch, and what has no shape goes to the scan") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string record = random_string(random, share_of(30000, 3000), "ACGTGG");
  const Text text = text_of_records({record, "", record.substr(100, 500)});
  SetPatternBuffer patterns;
  for (int i = 0; i < 60; ++i) {
    patterns.add(
        guide_pattern(record.substr(below(random, 2000), 15), i % 2 ? "NGG" : "NAG", false));
    if (i % 9 == 0) patterns.add(std::vector<BaseSet>());
  }
  const auto backend = make_cuda_backend(0);
  const SearchMemory memory{.hits_at_once = 4000, .site_tables = 1};
  const auto searcher = backend->open<MismatchSearch>({{text.view()}, 2, memory});
  const PlainMismatchSearcher plain(text.view(), {.hits_at_once = 4000});
  for (const std::uint32_t k : {0u, 3u, 5u, 11u})
    check_same(*searcher, plain, patterns.patterns(), {Strands::both, k}, 4000);
  patterns.add("ACGTNNRYACG", true);
  check_same(*searcher, plain, patterns.patterns(), {Strands::both, 2}, 4000);
  // With no memory for tables, the scan does it.
  Gpu gpu;
  const auto placed = gpu.place(text);
  const auto scan = cuda::make_scan_searcher(placed, {.host_hits = 4000});
  const auto sites =
      cuda::make_site_searcher(placed, *scan, {.host_hits = 4000, .table_bytes = 1000});
  SetPatternBuffer guides;
  guides.add(guide_pattern(record.substr(7, 15), "NGG", false));
  check_same(*sites, plain, guides.patterns(), {Strands::both, 3}, 4000);
}

TEST_CASE("sites: several threads share the tables") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string record = random_string(random, share_of(100000, 5000), "ACGT");
  const Text text = text_of_records({record});
  Gpu gpu;
  const NoScan none;
  for (const std::uint64_t bytes : {unlimited, cuda::DeviceSiteTable::bytes_to_build(3000, 7)}) {
    const auto sites = cuda::make_site_searcher(
        gpu.place(text), none, {.table_bytes = bytes, .slice_places = small_slice});
    std::atomic<int> wrong{0};
    run_threads(4, [&](int thread) {
      Random own(run_seed() + static_cast<std::uint64_t>(thread));
      SetPatternBuffer guides;
      for (int i = 0; i < 20; ++i)
        guides.add(guide_pattern(record.substr(below(own, 3000), 14 + thread % 2), "NGG", false));
      MismatchCounts expected, counts;
      PlainMismatchSearcher(text.view()).count(guides.patterns(), {Strands::both, 3}, expected);
      for (int round = 0; round < 5; ++round) {
        sites->count(guides.patterns(), {Strands::both, 3}, counts);
        if (!same(counts, expected)) ++wrong;
      }
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("sites: without memory on the GPU, guides are searched by the table of the CPU") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::string record = random_string(random, 5000, "ACGT");
  const Text text = text_of_records({record});
  SetPatternBuffer guides;
  for (int i = 0; i < 200; ++i)
    guides.add(guide_pattern(record.substr(below(random, 4000), 20), "NGG", false));
  const auto backend = make_fallback_backend(make_cuda_backend(0, 1024), make_cpu_backend());
  const auto searcher =
      backend->open<MismatchSearch>({{text.view()}, 1, {.site_tables = unlimited}});
  const PlainMismatchSearcher plain(text.view());
  check_same(*searcher, plain, guides.patterns(), {Strands::both, 4}, 1 << 22);
}

// What is built on the search for guides gives the same on the GPU as on the CPU: large batches,
// several PAMs, bulges, circular records, and products of primers.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/guides/bulge_search.hpp"
#include "analysis/guides/guide_search.hpp"
#include "analysis/guides/joined_hits.hpp"
#include "device/circular/circular_searcher.hpp"
#include "device/registry.hpp"
#include "gsx/primers.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/search/mismatches/cuda_scan_searcher.hpp"
#include "kernels/search/sites/cuda_site_searcher.hpp"
#include "support/gpu.hpp"
#include "support/mismatch_cases.hpp"
#include "support/seeds.hpp"
#include "support/site_cases.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Guides by tables on the GPU, whatever that costs, and what they leave to its scan; and the same
/// on the CPU.
struct BothDevices {
  BothDevices(const Text& text, const SearchMemory& memory)
      : placed(std::make_shared<const cuda::PlacedText>(text.view(), gpu.pool(), gpu.transfer(1))),
        scan(cuda::make_scan_searcher(placed, {.host_hits = memory.hits_at_once})),
        on_cuda(cuda::make_site_searcher(placed, *scan, {.host_hits = memory.hits_at_once})),
        on_cpu(open_for_guides(*make_cpu_backend(), {text.view()}, 2, memory, unlimited)) {}

  cuda::DeviceLink gpu{0, unlimited};
  cuda::CurrentDevice current = gpu.make_current();
  std::shared_ptr<const cuda::PlacedText> placed;
  std::unique_ptr<MismatchWay> scan;
  std::unique_ptr<MismatchSearcher> on_cuda, on_cpu;
};

/// A site as a guide's number and what a hit says of it.
using Site = std::tuple<std::size_t, std::uint64_t, bool, std::uint32_t, int>;

void add_sites(const HitChunk& chunk, std::span<const Bulge> bulges, std::vector<Site>& sites) {
  std::size_t guide = 0;
  for (std::size_t n = 0; n < chunk.hits.size(); ++n) {
    while (chunk.ends[guide] <= n)
      ++guide;
    const Hit& hit = chunk.hits[n];
    sites.emplace_back(chunk.first + guide, hit.position(), hit.is_reverse(), hit.mismatches(),
                       bulges.empty() ? 0 : bulges[n]);
  }
}

/// Records with repeats and N.
std::vector<std::string> random_records(Random& random, std::uint64_t size) {
  return {random_string(random, size, "ACGTG"), mutated_copies(random, size / 40, 40, 12, "ACGTN"),
          "", "ACGTGG"};
}

std::string random_guide(Random& random, const std::vector<std::string>& records,
                         std::uint64_t length) {
  const std::string& record = records[below(random, 2)];
  std::string guide = record.substr(below(random, record.size() - length), length);
  for (char& base : guide)
    if (base == 'N' || below(random, 12) == 0) base = "ACGT"[below(random, 4)];
  return guide;
}

}  // namespace

TEST_CASE("guide searches: the GPU finds more guides than it lists together, and several PAMs") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::vector<std::string> records = random_records(random, share_of(60000, 4000));
  const Text text = text_of_records(records);
  SetPatternBuffer one, several;
  for (std::uint64_t i = share_of(20000, 8500); i > 0; --i) {
    const std::string guide = random_guide(random, records, 20);
    one.add(guide_pattern(guide, "NGG", false));
    for (const char* pam : {"NGG", "NAG"})
      several.add(guide_pattern(guide, pam, false));
  }
  for (const std::uint64_t at_once : {std::uint64_t{20000}, std::uint64_t{1} << 22}) {
    const BothDevices devices(text, {.hits_at_once = at_once});
    for (const std::uint64_t max_hits : {std::uint64_t{3}, unlimited}) {
      const MismatchRequest request{Strands::both, 3, max_hits};
      check_same(*devices.on_cuda, *devices.on_cpu, one.patterns(), request, at_once);
      std::vector<Site> on_cuda, on_cpu;
      JoinedSearch(*devices.on_cuda, several.patterns(), 2, at_once)
          .stream(request, [&](const HitChunk& chunk) { add_sites(chunk, {}, on_cuda); });
      JoinedSearch(*devices.on_cpu, several.patterns(), 2, at_once)
          .stream(request, [&](const HitChunk& chunk) { add_sites(chunk, {}, on_cpu); });
      CHECK(on_cuda.size() > (full_tests() ? 1000 : 100));
      CHECK(on_cuda == on_cpu);
    }
  }
}

TEST_CASE("guide searches: the GPU finds the sites with bulges that the CPU finds") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::vector<std::string> records = random_records(random, share_of(20000, 2000));
  const Text text = text_of_records(records);
  const std::vector<Pam> pams = {Pam{"NGG"}, Pam{"NAG"}};
  GuideBatch batch;
  for (std::uint64_t i = share_of(300, 40); i > 0; --i) {
    batch.records.begin_record("g" + std::to_string(i), "");
    batch.records.append(i % 50 == 0 ? "GGGGGGGGGGGGGGGG" : random_guide(random, records, 16));
  }
  UnaskedQueries unasked;
  prepare_guides(batch, pams, GuideEnds::guide, 3, unasked);
  for (const std::uint64_t most : {std::uint64_t{500}, std::uint64_t{1} << 20}) {
    const BothDevices devices(text, {.hits_at_once = most * 2});
    for (const std::uint64_t max_hits : {std::uint64_t{4}, unlimited}) {
      const BulgeSearch::Request request{{.dna = 2, .rna = 1}, 2, max_hits};
      std::vector<Site> sites[2];
      for (const int n : {0, 1}) {
        const MismatchSearcher& searcher = n == 0 ? *devices.on_cuda : *devices.on_cpu;
        BulgeSearch(text.view(), searcher, pams, most, 1, 2)
            .stream(batch, request,
                    [&](const SiteChunk& chunk) { add_sites(chunk, chunk.bulges, sites[n]); });
      }
      CHECK(sites[0].size() > (full_tests() ? 100 : 0));
      CHECK(sites[0] == sites[1]);
    }
  }
}

TEST_CASE("guide searches: the GPU finds sites that span origins") {
  GSX_NEED_GPU();
  Random random(run_seed());
  std::vector<std::string> records = random_records(random, share_of(20000, 2000));
  for (int i = 0; i < 5; ++i)
    records.push_back(random_string(random, 15 + below(random, 60), "ACGG"));
  const Text text = text_of_records(records);
  std::vector<std::uint64_t> circular = {0, 1};
  for (std::uint64_t record = 4; record < records.size(); ++record)
    circular.push_back(record);
  SetPatternBuffer patterns;
  for (std::uint64_t i = share_of(400, 60); i > 0; --i) {
    const std::string& record = records[i % 3 == 0 ? 0 : 4 + below(random, 5)];
    const std::string round = record + record;
    std::string guide = round.substr(record.size() - below(random, 15), 12);
    if (i % 2 == 0) guide[below(random, 12)] = 'A';
    patterns.add(guide_pattern(guide, "NGG", false));
  }
  BothDevices devices(text, {});
  const JunctionOptions options{2, {}, unlimited, best_cpu_path()};
  const auto on_cuda =
      with_origins(std::move(devices.on_cuda), text.view(), text.records_view(), circular, options);
  const auto on_cpu =
      with_origins(std::move(devices.on_cpu), text.view(), text.records_view(), circular, options);
  for (const std::uint64_t max_hits : {std::uint64_t{2}, unlimited})
    check_same(*on_cuda, *on_cpu, patterns.patterns(), {Strands::both, 2, max_hits}, 1 << 22);
}

TEST_CASE("guide searches: the GPU finds the products of primers that the CPU finds") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::vector<std::string> records = random_records(random, share_of(60000, 4000));
  const Text text = text_of_records(records);
  const Index index = build_index(text_of_records(records), {.device = "cpu"});
  std::vector<PrimerPair> pairs;
  for (std::uint64_t i = share_of(400, 30); i > 0; --i) {
    const std::uint64_t length = 9 + below(random, 12);
    PrimerPair pair{"p", random_guide(random, records, length),
                    random_guide(random, records, length)};
    if (i % 7 == 0) pair.reverse = pair.forward;
    pairs.push_back(std::move(pair));
  }
  const AmpliconOptions options{
      .mismatches = 2, .end_bases = 4, .end_mismatches = 1, .least = 20, .most = 2000};
  std::vector<std::pair<std::size_t, Amplicon>> found[4];
  for (const int n : {0, 1, 2, 3}) {
    const SearchOptions search{.device = n % 2 == 0 ? "cuda" : "cpu", .threads = 2};
    const AmpliconSearcher searcher =
        n < 2 ? AmpliconSearcher(text, search) : AmpliconSearcher(index, search);
    searcher.find(pairs, options, [&](const AmpliconChunk& chunk) {
      for (const Amplicon& amplicon : chunk.amplicons)
        found[n].emplace_back(chunk.pair, amplicon);
    });
  }
  CHECK(found[0].size() > 10);
  CHECK(found[0] == found[1]);
  CHECK(found[2] == found[1]);
  CHECK(found[3] == found[1]);
}

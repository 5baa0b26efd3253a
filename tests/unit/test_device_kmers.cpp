// K-mers that a device counts itself, instead of giving the rows of the suffix array.
#include <doctest/doctest.h>

#include <vector>

#include "analysis/mappability/build.hpp"
#include "support/rows_backend.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("k-mers that a device counts itself are taken from it, and planned by it") {
  class Counting final : public RowsBackend {
   public:
    Counting() { measures().set<KmerMeasure>({plan, take}); }
    static std::vector<KmerFrequencies> take(const BothStrandsView& text,
                                             std::span<const std::uint64_t> lengths,
                                             const BuildOptions&) {
      std::vector<KmerFrequencies> all;
      if (lengths[0] < 3) return all;
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        all.push_back({Buffer<std::uint16_t>(text.half, "counts"), {70'000, 40'000}});
        for (std::uint64_t p = 0; p < text.half; ++p)
          all.back().codes[p] =
              static_cast<std::uint16_t>(p < 2 ? KmerFrequencies::first_large + p : p + lengths[i]);
      }
      return all;
    }
    static std::optional<BuildPlan> plan(const BothStrandsView&, std::span<const std::uint64_t>,
                                         const BuildOptions&) {
      BuildPlan counting;
      counting.path = "counting";
      return counting;
    }
  };
  const Text text = make_text({"ACGTTGCA"});
  const BothStrandsView view{text.view(), text.length()};
  Counting backend;
  const std::vector<std::uint64_t> lengths = {3, 5};
  const auto counted = count_kmers(backend, view, lengths, {}, {});
  CHECK(backend.sorted == 0);
  REQUIRE(counted.size() == 2);
  CHECK((*counted[1])[0] == 70'000);
  CHECK((*counted[1])[1] == 40'000);
  CHECK((*counted[1])[2] == 7);
  CHECK(counted[0]->largest() == 70'000);
  CHECK(counted[0]->code_of(40'000) == KmerFrequencies::first_large + 1);
  CHECK(counted[0]->code_of(50'000) == KmerFrequencies::first_large + 2);
  CHECK(plan_kmers(backend, view, lengths, {}, {})->path == "counting");
  // Not with mismatches, and not where neighbours may share much: rows are compared otherwise then.
  CHECK_FALSE(plan_kmers(backend, view, lengths, {1, 255}, {}));
  CHECK_FALSE(plan_kmers(backend, view, std::vector<std::uint64_t>{3, 2000}, {}, {}));
  CHECK(count_kmers(backend, view, std::vector<std::uint64_t>{2}, {}, {}).size() == 1);
  CHECK(backend.sorted == 1);
}

TEST_CASE(
    "k-mers with mismatches that a device counts itself are taken from it, or else from rows") {
  class Counting final : public RowsBackend {
   public:
    Counting() {
      measures().set<KmerMeasure>({plan_exact, take_exact});
      measures().set<NearKmerMeasure>(
          {plan_near, [this](const BothStrandsView& text, const NearKmerMeasure::Request& request,
                             const BuildOptions&) { return take_near(text, request); }});
    }
    static std::vector<KmerFrequencies> take_exact(const BothStrandsView& text,
                                                   std::span<const std::uint64_t> lengths,
                                                   const BuildOptions&) {
      std::vector<KmerFrequencies> all;
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        all.push_back({Buffer<std::uint16_t>(text.half, "counts"), {70'000}});
        for (std::uint64_t p = 0; p < text.half; ++p)
          all.back().codes[p] = static_cast<std::uint16_t>(p == 0 ? 1u << 15 : p);
      }
      return all;
    }
    static std::optional<BuildPlan> plan_exact(const BothStrandsView&,
                                               std::span<const std::uint64_t>,
                                               const BuildOptions&) {
      return BuildPlan{.path = "exact", .host_bytes = 5, .device_bytes = 900, .stages = {}};
    }
    std::optional<Buffer<std::uint16_t>> take_near(const BothStrandsView& text,
                                                   const NearKmerMeasure::Request& request) {
      seen.assign(request.exact.begin(), request.exact.end());
      if (has_no_room) return std::nullopt;
      Buffer<std::uint16_t> all(text.half, "counts");
      for (std::uint64_t p = 0; p < text.half; ++p)
        all[p] = static_cast<std::uint16_t>(request.near.cap - p);
      return all;
    }
    static std::optional<BuildPlan> plan_near(const BothStrandsView&,
                                              const NearKmerMeasure::Request& request,
                                              const BuildOptions&) {
      if (request.near.k > 6) return std::nullopt;
      return BuildPlan{.path = "near", .host_bytes = 7, .device_bytes = 800, .stages = {}};
    }
    bool has_no_room = false;
    std::vector<std::uint64_t> seen;
  };
  const Text text = make_text({"ACGTTGCA"});
  const BothStrandsView view{text.view(), text.length()};
  Counting backend;
  const std::vector<std::uint64_t> lengths = {3, 5};
  const KmerMatching matching{1, 40'000};
  const auto counted = count_kmers(backend, view, lengths, matching, {});
  CHECK(backend.sorted == 0);
  CHECK(backend.seen[0] == 40'000);
  CHECK(backend.seen[1] == 1);
  REQUIRE(counted.size() == 2);
  CHECK((*counted[1])[0] == 40'000);
  CHECK((*counted[1])[8] == 39'992);
  // The memory of both ways, and what the counts take beside.
  const auto plan = plan_kmers(backend, view, lengths, matching, {});
  REQUIRE(plan.has_value());
  CHECK(plan->path == "near");
  CHECK(plan->device_bytes == 900);
  CHECK(plan->host_bytes == 7 + frequency_bytes(view, lengths, {}) + 2 * view.half);
  // Where the device does not do all of it, the CPU does.
  CHECK_FALSE(plan_kmers(backend, view, std::vector<std::uint64_t>{3, 7}, matching, {}));
  CHECK_FALSE(plan_kmers(backend, view, lengths, {1, 65'536}, {}));
  backend.has_no_room = true;
  backend.sorted = 0;
  (void)count_kmers(backend, view, lengths, {1, 255}, {});
  CHECK(backend.sorted == 2);  // for the LCP array, and for mismatches
}

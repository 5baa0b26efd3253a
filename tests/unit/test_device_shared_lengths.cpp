// What suffixes share, found by a device itself, instead of by the rows of the suffix array.
#include <doctest/doctest.h>

#include <optional>
#include <utility>
#include <vector>

#include "mappability/build.hpp"
#include "support/rows_backend.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

SmallNumbers numbers_of(const std::vector<std::uint8_t>& values) {
  Buffer<std::uint8_t> bytes(values.size(), "values");
  for (std::size_t i = 0; i < values.size(); ++i)
    bytes[i] = values[i];
  return {std::move(bytes), PositionArray(Buffer<std::uint32_t>(0, "large values")), 1};
}

class Sharing final : public RowsBackend {
 public:
  std::optional<SharedLengths> share_lengths(const BothStrandsView& text,
                                             const BuildOptions&) override {
    if (gives_up) return std::nullopt;
    const std::vector<std::uint8_t> twos(text.half, 2);
    return SharedLengths{numbers_of(twos), numbers_of(twos), std::nullopt};
  }
  std::optional<BuildPlan> plan_shared_lengths(const BothStrandsView&,
                                               const BuildOptions&) override {
    BuildPlan plan;
    plan.path = "sharing";
    plan.host_bytes = 1000;
    return plan;
  }
  bool gives_up = false;
};

std::vector<std::uint64_t> shortest_of(const UniqueKmers& unique, std::uint64_t size) {
  std::vector<std::uint64_t> shortest;
  unique.for_each(0, size, [&](std::uint64_t, std::uint64_t k) { shortest.push_back(k); });
  return shortest;
}

}  // namespace

TEST_CASE("what suffixes share is taken from a device that finds it, and planned by it") {
  using Numbers = std::vector<std::uint64_t>;
  const Text text = make_text({"ACGTTACG"});
  const BothStrandsView view{text.view(), text.length()};
  Sharing backend;
  const UniqueKmers given(backend, view, {});
  CHECK(backend.sorted == 0);
  CHECK(shortest_of(given, 8) == Numbers{3, 3, 3, 3, 3, 3, 0, 0});
  const auto plan = plan_unique_kmers(backend, view, {});
  REQUIRE(plan);
  CHECK(plan->path == "sharing");
  CHECK(plan->host_bytes >= 1000 + SharedLengths::bytes(text.length(), false));
  CHECK_FALSE(plan_unique_kmers(*make_cpu_backend(), view, {}));

  // Too little memory for the lengths ends the run before anything is sorted.
  BuildOptions tight;
  tight.memory.limit = SharedLengths::bytes(text.length(), false);
  CHECK_THROWS_AS(UniqueKmers(backend, view, tight), ResourceError);
  CHECK(backend.sorted == 0);

  // Where the device gives up, the rows tell.
  backend.gives_up = true;
  const UniqueKmers sorted(backend, view, {});
  CHECK(backend.sorted == 1);
  CHECK(shortest_of(sorted, 8) == Numbers{4, 3, 2, 2, 2, 0, 0, 0});
}

// What suffixes share, found by a device itself, instead of by the rows of the suffix array.
#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "analysis/mappability/build.hpp"
#include "base/resources.hpp"
#include "index/sa/builder.hpp"
#include "support/rows_backend.hpp"
#include "support/strands.hpp"

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
  Sharing() {
    measures().set<SharedPrefixMeasure>(
        {plan_sharing, [this](const BothStrandsView& text, const auto&...) { return take(text); }});
  }
  std::optional<SharedLengths> take(const BothStrandsView& text) const {
    if (gives_up) return std::nullopt;
    const std::vector<std::uint8_t> twos(text.half, 2);
    return SharedLengths{numbers_of(twos), numbers_of(twos), std::nullopt};
  }
  static std::optional<BuildPlan> plan_sharing(const BothStrandsView&,
                                               const SharedPrefixMeasure::Request&,
                                               const BuildOptions&) {
    BuildPlan plan;
    plan.path = "sharing";
    plan.host_bytes = 1000;
    return plan;
  }
  bool gives_up = false;
};

/// Finds all itself, for as long as `before` throws nothing.
class Measuring final : public RowsBackend {
 public:
  Measuring() {
    measures().set<SharedPrefixMeasure>(
        {plan_measuring, [this](const BothStrandsView& text, const SharedPrefixMeasure::Request&,
                                const BuildOptions& options) { return take(text, options); }});
  }
  std::optional<SharedLengths> take(const BothStrandsView& text, const BuildOptions& options) {
    memory = options.memory;
    if (before) before();
    if (gives_up) return std::nullopt;
    const SuffixArray rows = build_suffix_array(text.text, 1);
    SharedLengthsBuilder<std::uint32_t> builder(text, options.threads);
    builder.add(rows.entries<std::uint32_t>().data(), rows.size());
    return builder.finish();
  }
  static std::optional<BuildPlan> plan_measuring(const BothStrandsView&,
                                                 const SharedPrefixMeasure::Request&,
                                                 const BuildOptions&) {
    BuildPlan plan;
    plan.host_bytes = 1000;
    plan.stages.push_back({"comparing", 500, 7});
    return plan;
  }

  std::function<void()> before;
  bool gives_up = false;
  HostMemory memory;
};

/// Both strands of a random text in which much is its own reverse complement.
testing::TextStrands strands_with_palindromes(std::size_t length) {
  Random random(5);
  std::string half = random_string(random, length / 4, "ACGT"), turned(half.rbegin(), half.rend());
  for (char& c : turned)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  const std::string whole = half + turned;
  return {{whole + random_string(random, length / 4, "AT"), whole.substr(length / 8), "ACGT"},
          true};
}

std::vector<std::uint64_t> shortest_of(const UniqueKmers& unique, std::uint64_t size) {
  std::vector<std::uint64_t> shortest;
  unique.for_each(0, size, [&](std::uint64_t, std::uint64_t k) { shortest.push_back(k); });
  return shortest;
}

/// The same, filled from any place on.
void check_filled(const UniqueKmers& unique, const std::vector<std::uint64_t>& shortest,
                  std::uint32_t none) {
  for (const std::uint64_t begin : {0, 1, 63, 64, 1000}) {
    for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{65}, shortest.size()}) {
      if (begin > shortest.size()) continue;
      std::vector<std::uint32_t> values(std::min(count, shortest.size() - begin)), expected;
      unique.fill(begin, values, none);
      for (std::uint64_t i = 0; i < values.size(); ++i) {
        const std::uint64_t k = shortest[begin + i];
        expected.push_back(k == 0 || k >= none ? none : static_cast<std::uint32_t>(k));
      }
      CHECK((values == expected));
    }
  }
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

TEST_CASE("palindromes are found while a device compares suffixes, with the result of the CPU") {
  const testing::TextStrands strands = strands_with_palindromes(3000);
  const std::uint64_t half = strands.view.half;
  const std::vector<std::uint64_t> expected =
      shortest_of(UniqueKmers(*make_cpu_backend(), strands.view, {}), half);
  for (const PositionWidth width : {PositionWidth::automatic, PositionWidth::wide}) {
    for (const int threads : {1, 2, 5}) {
      CAPTURE(threads);
      BuildOptions options;
      options.threads = threads;
      options.width = width;
      Measuring backend;
      CHECK(shortest_of(UniqueKmers(backend, strands.view, options), half) == expected);
      CHECK(backend.sorted == 0);
      // Where the device gives up, the rows tell, and palindromes come after them.
      backend.gives_up = true;
      CHECK(shortest_of(UniqueKmers(backend, strands.view, options), half) == expected);
      CHECK(backend.sorted == 1);
      // An error of the device ends the run, whatever the CPU is at.
      backend.before = [] { throw std::runtime_error("the device is gone"); };
      CHECK_THROWS_WITH(UniqueKmers(backend, strands.view, options), "the device is gone");
      CHECK(backend.sorted == 1);
    }
  }
}

TEST_CASE("the shortest unique k-mers are filled in blocks as one by one") {
  Random random(11);
  for (const bool both : {true, false}) {
    for (int round = 0; round < 12; ++round) {
      CAPTURE(round);
      const std::string some = random_string(random, 400, "ACGT");
      std::vector<std::string> sequences = {
          random_string(random, 5000, round % 3 == 0 ? "AT" : "ACGT"), some + "N" + some, "ACGT",
          random_string(random, 300, "AC") + some};
      if (round % 4 == 1) sequences.push_back(std::string(700, 'A'));
      const testing::TextStrands strands(sequences, both);
      const UniqueKmers unique(*make_cpu_backend(), strands.view, {});
      const std::vector<std::uint64_t> shortest = shortest_of(unique, strands.view.half);
      check_filled(unique, shortest, ~std::uint32_t{0});
      check_filled(unique, shortest, 300);
    }
  }
  const testing::TextStrands strands = strands_with_palindromes(3000);
  BuildOptions wide;
  wide.width = PositionWidth::wide;
  const UniqueKmers unique(*make_cpu_backend(), strands.view, wide);
  check_filled(unique, shortest_of(unique, strands.view.half), ~std::uint32_t{0});
}

TEST_CASE("what a device needs on the host is beside the palindromes, in the plan and the run") {
  const testing::TextStrands strands = strands_with_palindromes(4'000'000);
  const std::uint64_t half = strands.view.half, palindromes = 9 * half / 2;
  const std::uint64_t lengths = SharedLengths::bytes(half, true);
  Measuring backend;
  const auto plan = plan_unique_kmers(backend, strands.view, {});
  REQUIRE(plan);
  CHECK(plan->host_bytes >= 1000 + lengths + palindromes);
  CHECK(plan->stages.at(0).host_bytes == plan->host_bytes - 500);
  CHECK(plan->stages.at(0).device_bytes == 7);

  BuildOptions options;
  options.threads = 2;
  options.memory = HostMemory::below(std::uint64_t{1} << 40);
  backend.gives_up = false;
  bool asked = false;
  backend.before = [&] {
    asked = true;
    throw ResourceError("enough seen");
  };
  CHECK_THROWS_AS(UniqueKmers(backend, strands.view, options), ResourceError);
  CHECK(asked);
  CHECK(backend.memory.used >= options.memory.used + 4 * half);

  // What a device asks for while they are still to be written is beside them.
  options.threads = 1;
  options.memory.limit = std::uint64_t{1} << 40;
  asked = false;
  backend.before = [&] {
    asked = true;
    backend.memory.limit = resident_bytes() + 7 * half;
    backend.memory.require_as_needed("more")(half);
    backend.memory.limit = resident_bytes() + 4 * half;
    CHECK_THROWS_AS(backend.memory.require_as_needed("more")(half), ResourceError);
    throw ResourceError("enough seen");
  };
  CHECK_THROWS_WITH(UniqueKmers(backend, strands.view, options), "enough seen");
  CHECK(asked);
  options.threads = 2;

  // With room for either, but not for both, nothing begins.
  asked = false;
  options.memory.limit = options.memory.used + plan->host_bytes - 1;
  CHECK_THROWS_AS(UniqueKmers(backend, strands.view, options), ResourceError);
  CHECK_FALSE(asked);
  CHECK(backend.sorted == 0);
}

// Searchers for pairs that share the work of others: those of several devices, and of one that
// fails.
#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "device/fallback.hpp"
#include "device/multi_device.hpp"
#include "device/registry.hpp"
#include "search/matches/cpu_pair_searcher.hpp"
#include "support/pair_cases.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// What fails, and when.
enum class Failure { opening, taking, searching };

/// Finds some pairs, one at a time, and then fails.
class FailingSearcher final : public PairSearcher {
 public:
  FailingSearcher(const PairSetup& setup, Failure failure, std::uint64_t pairs)
      : cpu_(setup), failure_(failure), pairs_(pairs) {}

  void take(const PackedView& queries) override {
    if (failure_ == Failure::taking) throw ResourceError("no room for the queries");
    cpu_.take(queries);
  }
  void find(std::span<const PairPiece> pieces, const PairSink& sink) const override {
    std::uint64_t left = pairs_;
    cpu_.find(pieces, [&](std::span<const MatchPair> pairs) {
      for (const MatchPair& pair : pairs) {
        if (left-- == 0) throw DeviceError("it fell off the bus");
        sink({&pair, 1});
      }
    });
  }
  std::uint64_t best_places() const override { return 1; }

 private:
  CpuPairSearcher cpu_;
  Failure failure_;
  std::uint64_t pairs_;
};

class FailingBackend final : public Backend {
 public:
  FailingBackend(Failure failure, std::uint64_t pairs) {
    searches().set<PairSearch>([failure, pairs](const PairSetup& setup) {
      if (failure == Failure::opening) throw ResourceError("no room for the target");
      return std::make_unique<FailingSearcher>(setup, failure, pairs);
    });
  }
  std::string name() const override { return "failing"; }
  BuildPlan plan(const TextView&, BuildTarget, const BuildOptions&) override { return {}; }
  void build_rows(const TextView&, const BuildOptions&, const TakeRows&) override {}
  void build_codes(const TextView&, const BuildOptions&, const TakeCodes&) override {}
  FmIndex build_index(const TextView&, const BuildOptions&) override {
    throw DeviceError("it builds nothing");
  }
};

struct RepeatCase {
  explicit RepeatCase(Random& random)
      : record(mutated_copies(random, 40, 8, 60, "ACGT")),
        text(make_text({record, "ACGTNACGT"})),
        queries({record.substr(3, 200), "ACGTA", record}, 12),
        setup{.text = text.view(), .min_length = 12} {
    CpuPairSearcher cpu(setup);
    cpu.take(queries.view());
    expected = pairs_of(cpu, queries.pieces());
  }
  std::string record;
  Text text;
  PackedCase queries;
  PairSetup setup;
  std::vector<MatchPair> expected;
};

}  // namespace

TEST_CASE("where a device fails, the CPU finds the pairs that are left") {
  Random random(run_seed());
  const RepeatCase repeat(random);
  REQUIRE(repeat.expected.size() > 10);
  for (const Failure failure : {Failure::opening, Failure::taking, Failure::searching}) {
    for (const std::uint64_t pairs : {0u, 1u, 7u}) {
      CAPTURE(static_cast<int>(failure));
      CAPTURE(pairs);
      const auto either = make_fallback_backend(std::make_unique<FailingBackend>(failure, pairs),
                                                make_cpu_backend());
      const auto searcher = either->open<PairSearch>(repeat.setup);
      for (int round = 0; round < 2; ++round) {
        searcher->take(repeat.queries.view());
        CHECK(pairs_of(*searcher, repeat.queries.pieces()) == repeat.expected);
      }
      CHECK(either->name() == "failing, then cpu");
    }
  }
}

TEST_CASE("what takes pairs may fail, and no device is blamed for it") {
  Random random(run_seed());
  const RepeatCase repeat(random);
  const auto either = make_fallback_backend(
      std::make_unique<FailingBackend>(Failure::searching, ~std::uint64_t{0}), make_cpu_backend());
  const auto searcher = either->open<PairSearch>(repeat.setup);
  searcher->take(repeat.queries.view());
  CHECK_THROWS_AS(
      searcher->find(repeat.queries.pieces(),
                     [](std::span<const MatchPair>) { throw ResourceError("the disk is full"); }),
      ResourceError);
  CHECK(pairs_of(*searcher, repeat.queries.pieces()) == repeat.expected);
  CHECK(either->name() == "failing");
}

TEST_CASE("several devices share the pieces of queries") {
  Random random(run_seed());
  const RepeatCase repeat(random);
  std::vector<std::unique_ptr<Backend>> backends;
  for (int i = 0; i < 3; ++i)
    backends.push_back(make_cpu_backend());
  const auto all = make_multi_device_backend(std::move(backends));
  const auto searcher = all->open<PairSearch>(repeat.setup);
  searcher->take(repeat.queries.view());
  for (int round = 0; round < 4; ++round)
    CHECK(pairs_of(*searcher, repeat.queries.pieces()) == repeat.expected);
}

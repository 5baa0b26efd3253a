// A device that fails, and the CPU that does its work.
#include "device/fallback.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string_view>

#include "base/error.hpp"
#include "run/patterns.hpp"
#include "search/sets/cpu_finders.hpp"
#include "support/log_capture.hpp"
#include "support/open_index.hpp"
#include "support/seeds.hpp"
#include "support/sequence_sets.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("a device that fails is warned of once, one short of memory not; both are named") {
  class Broken final : public Backend {
   public:
    explicit Broken(bool short_of_memory) : short_of_memory_(short_of_memory) {
      searches().set<ExactSearch>(
          [this](const ExactSearch::Setup&) -> std::unique_ptr<Searcher> { fail(); });
    }
    std::string name() const override { return "broken"; }
    BuildPlan plan(const TextView&, BuildTarget, const BuildOptions&) override { fail(); }
    void build_rows(const TextView&, const BuildOptions&, const TakeRows&) override { fail(); }
    void build_codes(const TextView&, const BuildOptions&, const TakeCodes&) override { fail(); }
    FmIndex build_index(const TextView&, const BuildOptions&) override { fail(); }

   private:
    [[noreturn]] void fail() const {
      if (short_of_memory_) throw ResourceError("its memory is full");
      throw DeviceError("it fell off the bus");
    }
    bool short_of_memory_;
  };
  const Text text = make_text({"ACGTACGTAAAA"});
  const OpenIndex index(text);
  const auto use = [&](int work, bool short_of_memory) {
    const auto either =
        make_fallback_backend(std::make_unique<Broken>(short_of_memory), make_cpu_backend());
    CHECK(either->name() == "broken");
    for (int round = 0; round < 2; ++round) {
      if (work == 0) (void)either->build_index(text.view(), {});
      if (work == 1) either->build_codes(text.view(), {}, [](const Buffer<std::uint8_t>&) {});
      if (work == 2) (void)either->open<ExactSearch>({*index, 1});
    }
    CHECK(either->name() == "broken, then cpu");
  };
  for (int work = 0; work < 3; ++work) {
    CAPTURE(work);
    const LogCapture usual(spdlog::level::info);
    use(work, true);
    CHECK(usual.text() == "");
    use(work, false);
    CHECK(usual.text() == "using the CPU from here on: it fell off the bus\n");
    const LogCapture verbose(spdlog::level::debug);
    use(work, true);
    CHECK(verbose.text().starts_with("using the CPU: its memory is full\n"));
  }
}

TEST_CASE("a device that fails in the middle of a search is warned of once") {
  class Failing final : public Searcher {
   public:
    void count(const Patterns&, Strands, std::vector<StrandCounts>&) const override {
      throw DeviceError("it fell off the bus");
    }
    void stream(const Patterns&, const LocateRequest&, const HitSink&) const override {
      throw DeviceError("it fell off the bus");
    }
    std::unique_ptr<Searcher> start(const Patterns&, const SearchRequest&) const override {
      return std::make_unique<Failing>();  // fails once it is waited for
    }
    bool takes_packed() const override { return true; }
  };
  class FailingMatches final : public MatchSearcher {
   public:
    void stream(const Patterns&, const MatchRequest&, const MatchSink&) const override {
      throw DeviceError("it fell off the bus");
    }
    void count(const Patterns&, const MatchRequest&,
               std::vector<std::uint8_t>& matched) const override {
      matched.assign(1, 7);
      throw DeviceError("it fell off the bus");
    }
  };
  class Opens final : public Backend {
   public:
    Opens() {
      searches().set<MatchSearch>(
          [](const MatchSearch::Setup&) { return std::make_unique<FailingMatches>(); });
      searches().set<ExactSearch>(
          [](const ExactSearch::Setup&) { return std::make_unique<Failing>(); });
    }
    std::string name() const override { return "failing"; }
    BuildPlan plan(const TextView&, BuildTarget, const BuildOptions&) override { return {}; }
    void build_rows(const TextView&, const BuildOptions&, const TakeRows&) override {}
    void build_codes(const TextView&, const BuildOptions&, const TakeCodes&) override {}
    FmIndex build_index(const TextView&, const BuildOptions&) override { return {}; }
  };
  const Text text = make_text({"ACGTACGTAAAA"});
  const OpenIndex index(text);
  PatternBuffer buffer;
  buffer.encode(std::array<std::string_view, 2>{"A", "C"}, text.alphabet);
  const LogCapture usual(spdlog::level::info);
  const auto either = make_fallback_backend(std::make_unique<Opens>(), make_cpu_backend());
  const auto searcher = either->open<ExactSearch>({*index, 1});
  std::vector<StrandCounts> counts;
  for (int round = 0; round < 2; ++round) {
    searcher->count(buffer.patterns(), Strands::forward, counts);
    CHECK(counts[0].forward == 6);
    int chunks = 0;
    searcher->stream(buffer.patterns(), {}, [&](const HitChunk&) { ++chunks; });
    CHECK(chunks > 0);
  }
  CHECK(usual.text() == "using the CPU from here on: it fell off the bus\n");
  CHECK(either->name() == "failing, then cpu");
  CHECK(searcher->start(buffer.patterns(), {}) == nullptr);

  // What a failing device has started, the CPU does.
  for (const bool locates : {false, true}) {
    const auto another = make_fallback_backend(std::make_unique<Opens>(), make_cpu_backend());
    const auto starts = another->open<ExactSearch>({*index, 1});
    const auto started = starts->start(buffer.patterns(), {{Strands::forward}, locates});
    REQUIRE(started != nullptr);
    std::uint64_t found = 0;
    if (locates) {
      started->stream(buffer.patterns(), {Strands::forward},
                      [&](const HitChunk& chunk) { found += chunk.hits.size(); });
    } else {
      started->count(buffer.patterns(), Strands::forward, counts);
      found = counts[0].forward + counts[1].forward;
    }
    CHECK(found == 6 + 2);
    CHECK(another->name() == "failing, then cpu");
  }

  // The CPU gets the codes of packed patterns.
  REQUIRE(searcher->takes_packed());
  RecordBatch batch;
  PatternBuffer bases;
  for (const char* const query : {"A", "CG", "NA"}) {
    batch.begin_record("query", "");
    batch.append(query);
  }
  batch.bases.keep(true);
  batch.bases.finish(batch.symbols, 0, CpuPath::baseline);
  bases.encode(batch, text.alphabet);
  REQUIRE(bases.patterns().are_packed());
  searcher->count(bases.patterns(), Strands::forward, counts);
  CHECK(counts[0].forward == 6);
  CHECK(counts[1].forward == 2);
  CHECK(counts[2].forward == 0);
  std::uint64_t hits = 0;
  searcher->stream(bases.patterns(), {}, [&](const HitChunk& chunk) { hits += chunk.hits.size(); });
  CHECK(hits == 6 + 2 + 2 + 2);  // of A, of its reverse complement T, and of CG on both strands

  const auto other = make_fallback_backend(std::make_unique<Opens>(), make_cpu_backend());
  const auto matches = other->open<MatchSearch>({*index, 1});
  std::vector<std::uint8_t> matched;
  for (int round = 0; round < 2; ++round) {
    matches->count(buffer.patterns(), {Strands::forward, 1}, matched);
    CHECK(matched == std::vector<std::uint8_t>{1, 1});
  }
  CHECK(other->name() == "failing, then cpu");
}

TEST_CASE("as many threads search as the device wants that has opened the searcher") {
  class Wide final : public Backend {
   public:
    explicit Wide(bool opens) {
      searches().set<ExactSearch>([opens](const ExactSearch::Setup& setup) {
        if (!opens) throw ResourceError("its memory is full");
        return make_cpu_backend()->open<ExactSearch>(setup);
      });
    }
    std::string name() const override { return "wide"; }
    int search_threads(int cores) const override { return 2 * cores; }
    BuildPlan plan(const TextView&, BuildTarget, const BuildOptions&) override { fail(); }
    void build_rows(const TextView&, const BuildOptions&, const TakeRows&) override { fail(); }
    void build_codes(const TextView&, const BuildOptions&, const TakeCodes&) override { fail(); }
    FmIndex build_index(const TextView&, const BuildOptions&) override { fail(); }

   private:
    [[noreturn]] static void fail() { throw ResourceError("it only searches"); }
  };
  const Text text = make_text({"ACGTACGTAAAA"});
  const OpenIndex index(text);
  for (const bool opens : {true, false}) {
    CAPTURE(opens);
    const auto either = make_fallback_backend(std::make_unique<Wide>(opens), make_cpu_backend());
    (void)either->build_index(text.view(), {});  // on the CPU; that does not say who searches
    CHECK(either->search_threads(4) == 8);
    (void)either->open<ExactSearch>({*index, 8});
    CHECK(either->search_threads(4) == (opens ? 8 : 4));
  }
}

TEST_CASE("neighbours and prefixes of a device that fails are found by the CPU from there on") {
  class Failing final : public NeighborFinder {
   public:
    explicit Failing(std::uint64_t given) : given_(given) {}
    void find(const SequenceSet& first, const SequenceSet* second, const NeighborRequest& request,
              const NeighborOptions& options, const TakeNeighbors& take) override {
      CpuNeighborFinder().find(first, second, request, options, [&](const NeighborChunk& all) {
        if (given_ != 0) take({all.begin, given_, all.offsets, all.others});
      });
      throw DeviceError("it fell off the bus");
    }

   private:
    std::uint64_t given_;
  };
  class FailingPrefixes final : public PrefixFinder {
   public:
    void find(std::span<const std::string_view>, std::span<std::uint32_t> found) const override {
      if (!found.empty()) found.front() = 7;
      throw ResourceError("its memory is full");
    }
  };
  class Device final : public Backend {
   public:
    explicit Device(std::uint64_t given) {
      searches().set<NeighborSearch>(
          [given](const NeighborSearch::Setup&) { return std::make_unique<Failing>(given); });
      searches().set<PrefixSearch>(
          [](const PrefixSearch::Setup&) { return std::make_unique<FailingPrefixes>(); });
    }
    std::string name() const override { return "failing"; }
    BuildPlan plan(const TextView&, BuildTarget, const BuildOptions&) override { fail(); }
    void build_rows(const TextView&, const BuildOptions&, const TakeRows&) override { fail(); }
    void build_codes(const TextView&, const BuildOptions&, const TakeCodes&) override { fail(); }
    FmIndex build_index(const TextView&, const BuildOptions&) override { fail(); }

   private:
    [[noreturn]] static void fail() { throw DeviceError("it fell off the bus"); }
  };
  Random random(run_seed());
  const SequenceSet set = make_set(dense_sequences(random, "", 3, "ACGT"));
  using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  const auto pairs_by = [&](NeighborFinder* finder) {
    Pairs pairs;
    find_neighbors(set, {1}, {.finder = finder}, [&](const NeighborChunk& chunk) {
      CHECK(chunk.offsets[0] == 0);
      for (std::uint64_t i = chunk.begin; i < chunk.end; ++i)
        for (const std::uint32_t other : chunk.of(i))
          pairs.emplace_back(i, other);
    });
    return pairs;
  };
  const LogCapture log(spdlog::level::info);
  const Pairs expected = pairs_by(nullptr);
  for (const std::uint64_t given : {std::uint64_t{0}, std::uint64_t{17}, set.size()}) {
    CAPTURE(given);
    const auto either = make_fallback_backend(std::make_unique<Device>(given), make_cpu_backend());
    const auto finder = either->open<NeighborSearch>({});
    CHECK((pairs_by(finder.get()) == expected));
    CHECK(either->name() == "failing, then cpu");
    CHECK((pairs_by(finder.get()) == expected));
  }
  // What the sink throws is no failure of the device.
  const auto either = make_fallback_backend(std::make_unique<Device>(5), make_cpu_backend());
  const auto finder = either->open<NeighborSearch>({});
  CHECK_THROWS_AS(find_neighbors(set, {1}, {.finder = finder.get()},
                                 [](const NeighborChunk&) { throw ResourceError("the disk"); }),
                  ResourceError);
  CHECK(either->name() == "failing");

  const std::vector<std::string_view> entries{"AC", "ACG", "T"}, queries{"ACGT", "TT", "G"};
  const PrefixSet prefixes{std::span<const std::string_view>(entries)};
  std::vector<std::uint32_t> found(3);
  either->open<PrefixSearch>({prefixes, 1})->find(queries, found);
  CHECK(found == std::vector<std::uint32_t>{1, 2, PrefixSetView::none});
}

// Several searchers behind one: which gets which batch; and back ends by name.
#include <doctest/doctest.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "device/multi_device.hpp"
#include "device/registry.hpp"
#include "support/open_index.hpp"
#include "support/texts.hpp"

using namespace gsx;

namespace {

/// Holds batches back until they are told to end.
struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  int waiting = 0;
  bool open = true;

  void pass() {
    std::unique_lock lock(mutex);
    ++waiting;
    changed.notify_all();
    changed.wait(lock, [&] { return open; });
    --waiting;
  }
  void set(bool to_open) {
    const std::lock_guard lock(mutex);
    open = to_open;
    changed.notify_all();
  }
  void wait_for(int number) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return waiting == number; });
  }
};

/// Answers with its number.
class Numbered final : public Searcher {
 public:
  Numbered(std::uint64_t number, Gate& gate) : number_(number), gate_(gate) {}
  void count(const Patterns&, Strands, std::vector<StrandCounts>& counts) const override {
    gate_.pass();
    if (number_ == 3) throw DeviceError("number 3 fails");
    counts.assign(1, {number_, 0});
  }
  void stream(const Patterns&, const LocateRequest&, const HitSink& sink) const override {
    const StrandCounts counts{number_, 0};
    const std::uint64_t end = 0;
    sink({.max_hits = 0, .counts = {&counts, 1}, .ends = {&end, 1}, .hits = {}});
  }
  std::unique_ptr<Searcher> start(const Patterns&, const SearchRequest& request) const override {
    if (request.streams) return nullptr;
    return std::make_unique<Numbered>(number_, gate_);
  }

 private:
  std::uint64_t number_;
  Gate& gate_;
};

std::unique_ptr<Searcher> share(Gate& gate, std::uint64_t count) {
  std::vector<std::unique_ptr<Searcher>> searchers;
  for (std::uint64_t i = 0; i < count; ++i)
    searchers.push_back(std::make_unique<Numbered>(i, gate));
  return make_multi_device_searcher(std::move(searchers));
}

std::uint64_t count_on(const Searcher& searcher) {
  std::vector<StrandCounts> counts;
  searcher.count({}, Strands::both, counts);
  return counts.at(0).forward;
}

}  // namespace

TEST_CASE("consecutive batches go to the searchers in turn") {
  Gate gate;
  const auto searcher = share(gate, 3);
  for (const std::uint64_t expected : {0u, 1u, 2u, 0u, 1u})
    CHECK(count_on(*searcher) == expected);
  Hits hits;
  searcher->locate({}, Strands::both, unlimited, hits);
  CHECK(hits.counts.at(0).forward == 2);
}

TEST_CASE("a busy searcher is passed over until it is done") {
  Gate gate;
  const auto searcher = share(gate, 2);
  gate.set(false);
  std::uint64_t busy = 7;
  std::thread other([&] { busy = count_on(*searcher); });
  gate.wait_for(1);
  Hits hits;
  for (int i = 0; i < 3; ++i) {
    searcher->locate({}, Strands::both, unlimited, hits);
    CHECK(hits.counts.at(0).forward == 1);
  }
  gate.set(true);
  other.join();
  CHECK(busy == 0);
  CHECK(count_on(*searcher) == 0);
}

TEST_CASE("a searcher is busy from the start of a batch to its end") {
  Gate gate;
  const auto searcher = share(gate, 2);
  auto started = searcher->start({}, {});
  for (int i = 0; i < 3; ++i)
    CHECK(count_on(*searcher) == 1);
  CHECK(searcher->start({}, {{}, true}) == nullptr);
  CHECK(count_on(*searcher) == 1);
  CHECK(count_on(*started) == 0);
  started.reset();
  CHECK(count_on(*searcher) == 0);
}

TEST_CASE("a searcher that starts nothing keeps its turn") {
  Gate gate;
  const auto searcher = share(gate, 3);
  for (const std::uint64_t expected : {0u, 1u, 2u, 0u}) {
    CHECK(searcher->start({}, {{}, true}) == nullptr);
    CHECK(count_on(*searcher) == expected);
  }
}

TEST_CASE("a batch that fails leaves its searcher free") {
  Gate gate;
  const auto searcher = share(gate, 4);
  for (int round = 0; round < 3; ++round) {
    for (const std::uint64_t expected : {0u, 1u, 2u})
      CHECK(count_on(*searcher) == expected);
    CHECK_THROWS_AS(count_on(*searcher), DeviceError);
  }
}

TEST_CASE("names of devices") {
  for (const char* wrong : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:0,", "cuda:0,0",
                            "cuda:0,,1", "cuda:,1", "cuda:0 1", "cuda:all,0", "cuda0", "CPU"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(make_backend(wrong), UsageError);
  }
  for (const char* missing : {"cuda:999", "cuda:998,999", "cuda:99999"})
    CHECK_THROWS_AS(make_backend(missing), DeviceError);
}

TEST_CASE("queries are found to match by the searchers in turn") {
  class Numbers final : public MatchSearcher {
   public:
    explicit Numbers(std::uint8_t number) : number_(number) {}
    void stream(const Patterns&, const MatchRequest&, const MatchSink&) const override {}
    void count(const Patterns&, const MatchRequest&,
               std::vector<std::uint8_t>& matched) const override {
      matched.assign(1, number_);
    }

   private:
    std::uint8_t number_;
  };
  class Opens final : public Backend {
   public:
    explicit Opens(std::uint8_t number) {
      searches().set<MatchSearch>(
          [number](const MatchSearch::Setup&) { return std::make_unique<Numbers>(number); });
    }
    std::string name() const override { return "numbers"; }
    BuildPlan plan(const TextView&, BuildTarget, const BuildOptions&) override { return {}; }
    void build_rows(const TextView&, const BuildOptions&, const TakeRows&) override {}
    void build_codes(const TextView&, const BuildOptions&, const TakeCodes&) override {}
    FmIndex build_index(const TextView&, const BuildOptions&) override { return {}; }
  };
  std::vector<std::unique_ptr<Backend>> backends;
  for (const std::uint8_t number : std::vector<std::uint8_t>{1, 2})
    backends.push_back(std::make_unique<Opens>(number));
  const auto both = make_multi_device_backend(std::move(backends));
  const Text text = testing::make_text({"ACGT"});
  const testing::OpenIndex index(text);
  const auto searcher = both->open<MatchSearch>({*index, 1});
  std::vector<std::uint8_t> matched;
  for (const std::uint8_t expected : std::vector<std::uint8_t>{1, 2, 1}) {
    searcher->count({}, {}, matched);
    CHECK(matched == std::vector<std::uint8_t>{expected});
  }
}

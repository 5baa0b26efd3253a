// Reading in order, working in parallel, committing in order.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/ordered_pipeline.hpp"

using namespace gsx;

namespace {

struct Item {
  std::uint64_t number = 0;
};

/// What happens to the items of a run, and which one fails.
struct Run {
  std::uint64_t items = 200;
  std::uint64_t bad_next = ~std::uint64_t{0};     ///< the item that cannot be read
  std::uint64_t bad_prepare = ~std::uint64_t{0};  ///< ... worked on
  std::uint64_t bad_commit = ~std::uint64_t{0};   ///< ... committed
  std::uint64_t bad_from = ~std::uint64_t{0};     ///< no item from this on can be worked on
  bool early = false;                             ///< whether prepare waits for its turn

  std::atomic<std::uint64_t> taken{0};
  std::atomic<std::uint64_t> finished{0};
  std::atomic<int> workers{0};
  std::vector<std::uint64_t> written;  ///< not locked: turns keep threads apart

  bool next(Item& item) {
    item.number = taken.fetch_add(1);
    if (item.number == bad_next) throw std::runtime_error("next");
    return item.number < items;
  }
};

class Worker {
 public:
  explicit Worker(Run& run) : run_(run) { ++run.workers; }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void prepare(const Item& item, const ItemTurn& turn) {
    if (item.number == run_.bad_prepare) throw std::runtime_error("prepare");
    if (item.number >= run_.bad_from) {
      if (item.number == run_.bad_from)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // others fail before
      throw std::runtime_error("prepare " + std::to_string(item.number));
    }
    if (item.number % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    if (!run_.early) return;
    turn.wait();
    run_.written.push_back(item.number);
    turn.wait();  // may be called more than once
  }
  void commit(const Item& item) {
    if (item.number == run_.bad_commit) throw std::runtime_error("commit");
    run_.written.push_back(item.number);
  }
  void finish(const Item&) { ++run_.finished; }

 private:
  Run& run_;
};

/// The message of what the run throws; empty if it ends well.
std::string outcome(Run& run, int threads) {
  try {
    run_in_order<Item>([&](Item& item) { return run.next(item); }, threads,
                       [&] { return Worker(run); });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

std::vector<std::uint64_t> first_numbers(std::uint64_t count, std::uint64_t times = 1) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < count * times; ++i)
    numbers.push_back(i / times);
  return numbers;
}

}  // namespace

TEST_CASE("items are committed in input order, each once, whatever the number of threads") {
  for (const int threads : {1, 2, 7}) {
    for (const bool early : {false, true}) {
      CAPTURE(threads);
      CAPTURE(early);
      Run run;
      run.early = early;
      CHECK(outcome(run, threads) == "");
      CHECK(run.workers == threads);
      CHECK(run.finished == run.items);
      CHECK(run.written == first_numbers(run.items, early ? 2 : 1));
    }
  }
}

TEST_CASE("a run without items does nothing") {
  Run run;
  run.items = 0;
  CHECK(outcome(run, 3) == "");
  CHECK(run.written.empty());
}

TEST_CASE("all items before one that cannot be read or committed are committed, and none after") {
  for (const int threads : {1, 2, 7}) {
    for (const std::uint64_t bad : {0u, 1u, 100u}) {
      CAPTURE(threads);
      CAPTURE(bad);
      Run unreadable;
      unreadable.bad_next = bad;
      CHECK(outcome(unreadable, threads) == "next");
      CHECK(unreadable.written == first_numbers(bad));
      Run uncommitted;
      uncommitted.bad_commit = bad;
      CHECK(outcome(uncommitted, threads) == "commit");
      CHECK(uncommitted.written == first_numbers(bad));
    }
  }
}

TEST_CASE("all items before one that cannot be worked on are committed, and none after") {
  for (const int threads : {1, 2, 7}) {
    CAPTURE(threads);
    Run run;
    run.bad_prepare = 50;
    CHECK(outcome(run, threads) == "prepare");
    CHECK(run.written == first_numbers(50));
  }
}

TEST_CASE("of several items that cannot be worked on, the first in input order is reported") {
  for (const int threads : {1, 2, 7}) {
    CAPTURE(threads);
    Run run;
    run.bad_from = 50;
    CHECK(outcome(run, threads) == "prepare 50");
    CHECK(run.written == first_numbers(50));
  }
}

// Handing results over: order, errors, and threads that do not wait for their turn.
#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
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

constexpr std::uint64_t never = ~std::uint64_t{0};

/// What happens to the items of a run, and which one fails.
struct Run {
  std::uint64_t items = 300;
  std::uint64_t bad_next = never, bad_prepare = never, bad_commit = never;
  std::uint64_t early = never;  ///< every early-th item waits for its turn while it is worked on
  bool small = false;           ///< whether its results are
  bool overlaps = false;        ///< whether most items go on by themselves once they are started
  std::uint64_t bad_start = never;
  std::uint64_t held = 0;  ///< items that must be worked on before the first one is done
  std::uint64_t taken_before_first = 0;  ///< items taken when the first one is worked on
  std::uint64_t taken_while_held = 0;    ///< items taken when the others had time to take more

  std::atomic<std::uint64_t> taken{0};
  std::atomic<std::uint64_t> committed{0};
  std::vector<std::uint64_t> written;  ///< not locked: turns keep threads apart

  bool next(Item& item) {
    item.number = taken.fetch_add(1);
    if (item.number == bad_next) throw std::runtime_error("next");
    return item.number < items;
  }
  void note_worked_on() {
    const std::lock_guard lock(mutex);
    ++worked_on;
    changed.notify_all();
  }
  /// Waits until other threads have worked on `held` items.
  bool wait_for_others() {
    std::unique_lock lock(mutex);
    if (!changed.wait_for(lock, std::chrono::seconds(20), [&] { return worked_on >= held; }))
      return false;
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    taken_while_held = taken;
    return true;
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t worked_on = 0;
};

class Worker {
 public:
  explicit Worker(Run& run) : run_(run) {}

  bool start(const Item& item) {
    if (item.number == run_.bad_start) throw std::runtime_error("start");
    started_.push_back(item.number);
    return run_.overlaps && item.number % 5 != 4;
  }
  std::vector<std::uint64_t>& prepare(const Item& item, const ItemTurn& turn) {
    const bool is_alone = !run_.overlaps || item.number % 5 == 4;
    if (started_.empty() || started_.front() != item.number || (is_alone && started_.size() != 1))
      throw std::logic_error("items are worked on in the order in which they are started");
    started_.pop_front();
    if (item.number == 0) run_.taken_before_first = run_.taken;
    if (item.number == run_.bad_prepare) throw std::runtime_error("prepare");
    if (item.number == 0 && run_.held != 0 && !run_.wait_for_others())
      throw std::runtime_error("the others waited");
    if (item.number % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    if (run_.early != never && item.number % run_.early == 0) {
      turn.wait();
      run_.written.push_back(item.number);
    }
    if (!result_.empty()) throw std::logic_error("the memory of a result comes back with it");
    result_.push_back(item.number);
    run_.note_worked_on();
    return result_;
  }
  bool is_small(const std::vector<std::uint64_t>&) const { return run_.small; }
  void commit(std::vector<std::uint64_t>& result) {
    if (result.front() == run_.bad_commit) throw std::runtime_error("commit");
    if (result.front() != run_.committed++) throw std::logic_error("commit out of turn");
    run_.written.push_back(result.front());
    result.clear();
  }

 private:
  Run& run_;
  std::deque<std::uint64_t> started_;
  std::vector<std::uint64_t> result_;
};

/// Ends the process after a while: threads that wait for a turn that never comes cannot be stopped.
struct TimeLimit {
  TimeLimit() { alarm(60); }
  ~TimeLimit() { alarm(0); }
};

/// The message of what the run throws; empty if it ends well.
std::string outcome(Run& run, int threads) {
  const TimeLimit limit;
  try {
    run_and_hand_over<std::vector<std::uint64_t>, Item>([&](Item& item) { return run.next(item); },
                                                        threads, [&] { return Worker(run); });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

std::vector<std::uint64_t> first_numbers(std::uint64_t count) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < count; ++i)
    numbers.push_back(i);
  return numbers;
}

}  // namespace

TEST_CASE("results that are handed over are committed in input order, each once") {
  for (const int threads : {1, 2, 7}) {
    for (const bool overlaps : {false, true}) {
      CAPTURE(threads);
      CAPTURE(overlaps);
      Run run;
      run.overlaps = overlaps;
      CHECK(outcome(run, threads) == "");
      CHECK(run.written == first_numbers(run.items));
      Run none;
      none.items = 0;
      none.overlaps = overlaps;
      CHECK(outcome(none, threads) == "");
      CHECK(none.written.empty());
    }
  }
}

TEST_CASE("a thread takes another item while one that it has started goes on") {
  Run run;
  CHECK(outcome(run, 1) == "");
  CHECK(run.taken_before_first == 1);
  Run overlapping;
  overlapping.overlaps = true;
  CHECK(outcome(overlapping, 1) == "");
  CHECK(overlapping.taken_before_first == 2);
}

TEST_CASE("no item is worked on after one that a failed run has dropped") {
  OrderedTurns turns;
  std::array<Item, 2> items;
  std::uint64_t number = 0;
  std::vector<std::uint64_t> worked_on;
  const auto next = [&](Item& item) {
    item.number = number++;
    return true;
  };
  const auto start = [&](const Item& item) {
    if (item.number == 1) turns.fail();  // as another thread may at any time
    return item.number == 0;             // goes on by itself
  };
  detail::take_in_order(next, turns, items, start,
                        [&](const Item& item) { worked_on.push_back(item.number); });
  CHECK(worked_on.empty());
}

TEST_CASE("an item that waits for its turn while it is worked on keeps its place") {
  for (const int threads : {1, 2, 7}) {
    CAPTURE(threads);
    Run run;
    run.early = 3;
    run.overlaps = threads != 2;
    CHECK(outcome(run, threads) == "");
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < run.items; ++i)
      expected.insert(expected.end(), i % 3 == 0 ? 2 : 1, i);
    CHECK(run.written == expected);
  }
}

TEST_CASE("while one item takes long, other threads go on with as many more as there are threads") {
  for (const int threads : {2, 5}) {
    CAPTURE(threads);
    Run run;
    // As many results are left to others, and each of the other threads waits with one more.
    run.held = static_cast<std::uint64_t>(2 * threads - 1);
    CHECK(outcome(run, threads) == "");
    CHECK(run.taken_while_held == run.held + 1);
    CHECK(run.written == first_numbers(run.items));
  }
}

TEST_CASE("while one item takes long, more small results than large ones may wait") {
  for (const int threads : {2, 5}) {
    CAPTURE(threads);
    Run run;
    run.small = true;
    run.held = small_results_per_thread * static_cast<std::uint64_t>(threads) +
               static_cast<std::uint64_t>(threads - 1);
    CHECK(outcome(run, threads) == "");
    CHECK(run.taken_while_held == run.held + 1);
    CHECK(run.written == first_numbers(run.items));
  }
}

TEST_CASE(
    "an error before a handed over result is committed leaves it out, and one behind does not") {
  for (const int threads : {1, 2, 7}) {
    for (const std::uint64_t bad : {0u, 1u, 100u, 104u, 300u}) {
      for (const bool overlaps : {false, true}) {
        CAPTURE(threads);
        CAPTURE(bad);
        CAPTURE(overlaps);
        const auto failing = [&](std::uint64_t Run::*fault, const std::string& name) {
          Run run;
          run.overlaps = overlaps;
          run.*fault = bad;
          const bool is_reached = bad < run.items || name == "next";
          CHECK(outcome(run, threads) == (is_reached ? name : ""));
          REQUIRE(run.written.size() <= bad);
          CHECK(run.written == first_numbers(run.written.size()));
          return run.written.size();
        };
        CHECK(failing(&Run::bad_next, "next") == bad);
        CHECK(failing(&Run::bad_commit, "commit") == bad);
        failing(&Run::bad_start, "start");
        failing(&Run::bad_prepare, "prepare");
      }
    }
  }
}

TEST_CASE("a thread that may not go on waits until its result is committed, by another") {
  const TimeLimit limit;
  OrderedResults<int> results(8);
  std::atomic<bool> begun = false, first = false;
  std::vector<int> committed;
  const auto commit = [&](int& result) { committed.push_back(result); };
  std::thread second([&] {
    int result = 1;
    begun = true;
    CHECK(results.hand_over(1, result, commit, 0));
    CHECK(first);
    CHECK(committed.size() == 2);
  });
  while (!begun)
    std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  first = true;
  int result = 0;
  CHECK(results.hand_over(0, result, commit, 0));
  second.join();
  CHECK(committed == std::vector<int>{0, 1});
}

TEST_CASE("what was left is dropped when the run fails, and so is what comes later") {
  OrderedResults<std::shared_ptr<int>> results(8);
  const auto commit = [](std::shared_ptr<int>&) {};
  auto left = std::make_shared<int>(3), late = std::make_shared<int>(4);
  const std::weak_ptr<int> of_left = left, of_late = late;
  CHECK(results.hand_over(3, left, commit, 4));
  CHECK(!of_left.expired());
  results.fail();
  CHECK(of_left.expired());
  CHECK(!results.hand_over(4, late, commit, 4));
  CHECK(of_late.expired());
  auto next = std::make_shared<int>(0);
  CHECK(!results.hand_over(0, next, commit, 4));
}

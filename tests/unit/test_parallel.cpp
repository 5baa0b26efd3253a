// Loops on several threads: each piece of work is done once, on no more threads than allowed.
#include "base/parallel.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <mutex>
#include <set>

#include "base/beside.hpp"
#include "base/buffer.hpp"

using namespace gsx;

namespace {

/// Counts the most threads that are inside at once.
class Crowd {
 public:
  void enter() {
    const int now = ++inside_;
    int most = most_.load();
    while (now > most && !most_.compare_exchange_weak(most, now)) {
    }
  }
  void leave() { --inside_; }
  int most() const { return most_; }

 private:
  std::atomic<int> inside_{0}, most_{0};
};

void work_for(std::chrono::microseconds time) {
  std::this_thread::sleep_for(time);
}

}  // namespace

TEST_CASE("run_threads calls each number once, and the caller has number 0") {
  for (const int threads : {1, 2, 5, 64}) {
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(threads));
    const auto caller = std::this_thread::get_id();
    run_threads(threads, [&](int thread) {
      ++calls[static_cast<std::size_t>(thread)];
      if (thread == 0) CHECK(std::this_thread::get_id() == caller);
    });
    for (const auto& count : calls)
      CHECK(count == 1);
  }
  CHECK_THROWS_AS(run_threads(3,
                              [](int t) {
                                if (t == 2) throw std::runtime_error("x");
                              }),
                  std::runtime_error);
}

TEST_CASE("tasks beside a loop stay within the threads allowed for both") {
  using namespace std::chrono_literals;
  for (const int threads : {1, 2, 3, 8}) {
    for (const int aside : {1, 4}) {
      CAPTURE(threads);
      CAPTURE(aside);
      Crowd crowd;
      std::atomic<int> tasks{0}, steps{0};
      run_beside(
          threads, aside, 40,
          [&](std::uint64_t) {
            crowd.enter();
            work_for(200us);
            crowd.leave();
            ++tasks;
          },
          [&] {
            for (int region = 0; region < 20; ++region) {
              parallel_for(threads, 30, [&](std::uint64_t, int thread) {
                CHECK(thread < threads);
                crowd.enter();
                work_for(100us);
                crowd.leave();
                ++steps;
              });
            }
          });
      CHECK(tasks == 40);
      CHECK(steps == 600);
      CHECK(crowd.most() <= threads);
    }
  }
}

TEST_CASE("threads that have finished their tasks help the loop that still runs") {
  using namespace std::chrono_literals;
  std::mutex mutex;
  std::set<std::thread::id> seen;
  run_beside(
      2, 1, 1, [](std::uint64_t) { work_for(20ms); },
      [&] {
        parallel_for(2, 200, [&](std::uint64_t, int) {
          work_for(1ms);
          const std::lock_guard lock(mutex);
          seen.insert(std::this_thread::get_id());
        });
      });
  CHECK(seen.size() == 2);
}

TEST_CASE("the remaining tasks get all threads when the main work is done") {
  using namespace std::chrono_literals;
  std::mutex mutex;
  std::set<std::thread::id> seen;
  run_beside(
      4, 1, 100,
      [&](std::uint64_t) {
        work_for(2ms);
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
      },
      [] {});
  CHECK(seen.size() == 4);
}

TEST_CASE("errors of the main work and of tasks come out, and stop the tasks") {
  std::atomic<int> tasks{0};
  const auto count = [&](std::uint64_t) { ++tasks; };
  CHECK_THROWS_AS(run_beside(1, 1, 1000, count, [] { throw std::runtime_error("main"); }),
                  std::runtime_error);
  CHECK(tasks == 0);
  int mains = 0;
  for (const int threads : {1, 3}) {
    CHECK_THROWS_AS(run_beside(
                        threads, 2, 1000,
                        [&](std::uint64_t i) {
                          if (i == 5) throw std::logic_error("task");
                        },
                        [&] { ++mains; }),
                    std::logic_error);
  }
  CHECK(mains == 2);
}

TEST_CASE("assigning to an array frees its memory at once") {
  Buffer<std::uint64_t> a(10, "a"), b(20, "b");
  a = std::move(b);
  CHECK(a.size() == 20);
  CHECK(b.size() == 0);
  CHECK(b.data() == nullptr);
}

// Pieces of a stable sort get their places in order, whichever is ready first.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "kernels/arrays/wavelet/run_places.hpp"

using gsx::cuda::RunPlaces;

namespace {

/// Until those before it have been taken.
void wait_a_little() {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

}  // namespace

TEST_CASE("run places: the last piece waits for those before it") {
  RunPlaces places({10, 20, 0, 5});
  std::vector<RunPlaces::Four> got(3);
  std::atomic<int> taken{0};
  std::thread last([&] {
    got[2] = *places.take(5, 6, {4, 5, 0, 1});
    ++taken;
  });
  wait_a_little();
  std::thread middle([&] {
    got[1] = *places.take(2, 5, {3, 10, 0, 2});
    ++taken;
  });
  wait_a_little();
  CHECK(taken == 0);
  got[0] = *places.take(0, 2, {3, 5, 0, 2});
  middle.join();
  last.join();
  CHECK(got[0] == RunPlaces::Four{0, 10, 30, 30});
  CHECK(got[1] == RunPlaces::Four{3, 15, 30, 32});
  CHECK(got[2] == RunPlaces::Four{6, 25, 30, 34});
}

TEST_CASE("run places: nobody waits for a piece that has failed") {
  RunPlaces places({1, 1, 1, 1});
  bool got = true;
  std::thread second([&] { got = places.take(1, 2, {1, 0, 0, 0}).has_value(); });
  wait_a_little();
  places.fail();
  second.join();
  CHECK_FALSE(got);
}

// Copies between host and device that run beside other work.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "kernels/base/background_copy.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/base/lane_threads.hpp"
#include "support/gpu.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::cuda;
using namespace gsx::testing;

TEST_CASE("lane threads: each lane once, however many threads there are") {
  for (const int count : {1, 2, 5}) {
    LaneThreads threads(count);
    for (const int lanes : {0, 1, 3, 40}) {
      std::vector<std::atomic<int>> calls(40);
      threads.run(lanes, [&](int lane) { ++calls[static_cast<std::size_t>(lane)]; });
      for (int lane = 0; lane < 40; ++lane)
        CHECK(calls[static_cast<std::size_t>(lane)] == (lane < lanes ? 1 : 0));
    }
  }
}

TEST_CASE("lane threads: an exception comes out once, after all lanes") {
  LaneThreads threads(3);
  std::atomic<int> calls = 0;
  const auto fail_in_some = [&](int lane) {
    ++calls;
    if (lane % 2 == 1) throw std::runtime_error("lane " + std::to_string(lane));
  };
  CHECK_THROWS_AS(threads.run(6, fail_in_some), std::runtime_error);
  CHECK(calls == 6);
  threads.run(4, [&](int) { ++calls; });
  CHECK(calls == 10);
}

TEST_CASE("lane threads: calls of several threads take turns") {
  LaneThreads threads(3);
  std::atomic<int> at_work = 0, together = 0;
  const auto call = [&](int caller) {
    for (int i = 0; i < 200; ++i) {
      std::vector<std::atomic<int>> calls(4);
      threads.run(4, [&](int lane) {
        const int before = at_work.fetch_add(1 << (8 * caller));
        if ((before & ~(0xFF << (8 * caller))) != 0) ++together;
        ++calls[static_cast<std::size_t>(lane)];
        at_work -= 1 << (8 * caller);
      });
      for (const std::atomic<int>& each : calls)
        CHECK(each == 1);
    }
  };
  std::thread other(call, 1);
  call(0);
  other.join();
  CHECK(together == 0);
}

TEST_CASE("background copies: in order, and pages keep what they hold") {
  GSX_NEED_GPU();
  DeviceLink gpu(0, unlimited);
  const CurrentDevice current = gpu.make_current();
  Random random(5);
  const std::uint64_t size = share_of(20'000'000, 100'000) + 12'345;
  std::vector<std::uint8_t> expected(size);
  for (auto& byte : expected)
    byte = static_cast<std::uint8_t>(random() & 0xFF);
  DeviceBuffer<std::uint8_t> d_bytes(size, gpu.stream());
  d_bytes.copy_from_async(expected.data());

  Buffer<std::uint8_t> array(size, "test");
  std::ranges::fill(array, std::uint8_t{0xA5});
  BackgroundCopy copy(array.data(), size, gpu.transfer(3), gpu.stream());
  copy.make_pages();
  copy.end();
  CHECK(std::ranges::all_of(array, [](std::uint8_t byte) { return byte == 0xA5; }));

  // Pieces from the end on, and some of them twice: the later copy stays.
  const std::uint64_t piece = size / 7;
  for (int k = 6; k >= 0; --k) {
    const std::uint64_t begin = static_cast<std::uint64_t>(k) * piece;
    const std::uint64_t end = k == 6 ? size : begin + piece;
    if (k % 2 == 0) copy.start(array.data() + begin, d_bytes.data(), end - begin);
    copy.start(array.data() + begin, d_bytes.data() + begin, end - begin);
    if (k == 3) copy.wait(1);
  }
  copy.wait(0);  // pages may still be made, which changes nothing
  CHECK(std::ranges::equal(array, expected));
  copy.end();
  copy.end();
  copy.start(array.data(), d_bytes.data(), 0);
  copy.end();
  CHECK(std::ranges::equal(array, expected));
}

TEST_CASE("background copies: may end with copies under way") {
  GSX_NEED_GPU();
  DeviceLink gpu(0, unlimited);
  const CurrentDevice current = gpu.make_current();
  constexpr std::uint64_t size = 1'000'000;
  const std::vector<std::uint8_t> sevens(size, 7);
  DeviceBuffer<std::uint8_t> d_bytes(size, gpu.stream());
  d_bytes.copy_from_async(sevens.data());
  Buffer<std::uint8_t> array(size, "test");
  {
    BackgroundCopy copy(array.data(), size, gpu.transfer(2), gpu.stream());
    for (int k = 0; k < 3; ++k)
      copy.start(array.data(), d_bytes.data(), size);
  }
  CHECK(std::ranges::all_of(array, [](std::uint8_t byte) { return byte == 7; }));
}

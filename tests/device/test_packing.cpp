// Integers packed and unpacked on the device, in device memory and through it, have the bits that
// their layout says, at every width and tail.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "device_calls/packing_calls.hpp"
#include "gsx/arrays.hpp"
#include "gsx/error.hpp"
#include "support/gpu.hpp"
#include "support/packing_cases.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

const DeviceCall calls[] = {{}, {false, false}, {true, true}, {false, true}};

const DeviceCall& some_call() {
  static std::size_t which = 0;
  return calls[which++ % std::size(calls)];
}

/// Ranges that begin and end at, before and behind borders of blocks and of vectors.
template <class Value, class View, class Source>
void check_unpacked(const View& view, const std::vector<Source>& values) {
  if (8 * sizeof(Value) < view.bits) return;
  const std::uint64_t size = values.size();
  const std::uint64_t ranges[][3] = {
      {0, size, 0},
      {size / 3, size - size / 3, 1},
      {size / 1024 * 1024, size % 1024, 0},
      {size > 1030 ? 1024u : 0u, size > 1030 ? size - 1029 : size, 16},
      // A whole block that goes to a place without alignment.
      {size > 2100 ? 1000u : 0u, size > 2100 ? size - 1000 : size, 3},
      {size, 0, 0}};
  for (const auto& [first, count, offset] : ranges) {
    CAPTURE(first);
    const auto out = device_unpacked<Value>(view, first, count, offset, some_call());
    REQUIRE(
        std::equal(out.begin(), out.end(), values.begin() + static_cast<std::ptrdiff_t>(first)));
  }
}

template <class Value, class Source>
void check_unpacked(const std::vector<Source>& values, std::uint32_t bits) {
  const std::span<const Source> all(values);
  const PackedArray stream = arrays::pack(all, bits, 1);
  const InterleavedArray interleaved = arrays::pack_interleaved(all, bits, 1);
  check_unpacked<Value>(stream.view(), values);
  check_unpacked<Value>(interleaved.view(), values);
}

template <class Value>
void check_gathered(const std::vector<Value>& values, std::uint32_t bits, Random& random) {
  if (values.empty()) return;
  std::vector<std::uint32_t> narrow(150);
  std::vector<Value> expected;
  for (auto& position : narrow) {
    position = static_cast<std::uint32_t>(below(random, values.size()));
    expected.push_back(values[position]);
  }
  const std::vector<std::uint64_t> wide(narrow.begin(), narrow.end());
  const std::span<const Value> all(values);
  const PackedArray stream = arrays::pack(all, bits, 1);
  const InterleavedArray interleaved = arrays::pack_interleaved(all, bits, 1);
  REQUIRE((device_gathered<Value>(stream.view(), narrow, some_call()) == expected));
  REQUIRE((device_gathered<Value>(interleaved.view(), wide, some_call()) == expected));
  REQUIRE((device_gathered<Value>(stream.view(), wide, some_call()) == expected));
  REQUIRE((device_gathered<Value>(interleaved.view(), narrow, some_call()) == expected));
}

template <class Value>
void check_packed(const std::vector<Value>& values, std::uint32_t bits) {
  CAPTURE(values.size());
  CAPTURE(bits);
  auto bytes = naive_stream(values, bits);
  bytes.resize(bytes.size() + PackedView::slack);
  REQUIRE((device_stream(values, bits, some_call()) == bytes));
  REQUIRE((device_interleaved(values, bits, some_call()) == naive_interleaved(values, bits)));
}

template <class Value>
void check_type(Random& random, std::uint32_t bits) {
  if (bits > 8 * sizeof(Value)) return;
  for (const std::uint64_t size : {1025, 2500}) {
    const auto values = packable_values<Value>(random, size, bits);
    check_packed(values, bits);
    check_unpacked<Value>(values, bits);
    check_gathered(values, bits, random);
  }
}

template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.kind())) + ' ' + error.what();
  }
  return "none";
}

template <class Value>
void check_passed(const std::vector<Value>& values, std::uint32_t bits, const DeviceCall& call,
                  int threads) {
  CAPTURE(values.size());
  CAPTURE(bits);
  const std::span<const Value> all(values);
  const PackedArray stream = passed_stream(values, bits, call, threads);
  const InterleavedArray interleaved = passed_interleaved(values, bits, call, threads);
  const PackedArray stream_on_cpu = arrays::pack(all, bits, 1);
  const InterleavedArray interleaved_on_cpu = arrays::pack_interleaved(all, bits, 1);
  REQUIRE(std::ranges::equal(stream.bytes(), stream_on_cpu.bytes()));
  REQUIRE(std::ranges::equal(interleaved.words(), interleaved_on_cpu.words()));
  for (const std::uint64_t first : {std::uint64_t{0}, values.size() / 3, values.size()}) {
    std::vector<Value> out(values.size() - first);
    pass_unpacked(stream.view(), first, std::span<Value>(out), call, threads);
    REQUIRE(
        std::equal(out.begin(), out.end(), values.end() - static_cast<std::ptrdiff_t>(out.size())));
    std::fill(out.begin(), out.end(), Value{0});
    pass_unpacked(interleaved.view(), first, std::span<Value>(out), call, threads);
    REQUIRE(
        std::equal(out.begin(), out.end(), values.end() - static_cast<std::ptrdiff_t>(out.size())));
  }
}

}  // namespace

TEST_CASE("device packing: every width, of integers of every size") {
  GSX_NEED_GPU();
  Random random(61);
  for (std::uint32_t bits = 1; bits <= 64; ++bits) {
    check_type<std::uint8_t>(random, bits);
    check_type<std::uint16_t>(random, bits);
    check_type<std::uint32_t>(random, bits);
    check_type<std::uint64_t>(random, bits);
  }
}

TEST_CASE("device packing: sizes around the borders of vectors, rows, blocks and thread blocks") {
  GSX_NEED_GPU();
  Random random(62);
  for (const std::uint32_t bits : {1u, 7u, 13u, 16u, 31u}) {
    for (const std::uint64_t size :
         {0, 1, 3, 4, 15, 16, 17, 31, 32, 33, 63, 65, 127, 129, 1023, 1024, 4095, 4096, 4097}) {
      const auto values = packable_values<std::uint32_t>(random, size, bits);
      check_packed(values, bits);
      check_unpacked<std::uint32_t>(values, bits);
    }
  }
}

TEST_CASE("device packing: into types wider and narrower than the values came in") {
  GSX_NEED_GPU();
  Random random(63);
  for (const std::uint32_t bits : {1u, 5u, 8u}) {
    const auto values = packable_values<std::uint64_t>(random, 3000, bits);
    check_packed(values, bits);
    check_unpacked<std::uint8_t>(values, bits);
    check_unpacked<std::uint16_t>(values, bits);
    check_unpacked<std::uint32_t>(values, bits);
    check_unpacked<std::uint64_t>(values, bits);
  }
}

TEST_CASE("device packing: from host memory in pieces, whatever the device's memory") {
  GSX_NEED_GPU();
  Random random(64);
  const DeviceCall little{true, false, 40'000}, tiny{true, false, 21'000};
  for (const std::uint32_t bits : {1u, 13u, 20u}) {
    for (const std::uint64_t size : {0, 1, 1024, 1025, 20'000}) {
      const auto values = packable_values<std::uint32_t>(random, size, bits);
      check_passed(values, bits, {}, 3);
      check_passed(values, bits, little, 2);
      check_passed(values, bits, tiny, 1);
    }
  }
  const auto wide = packable_values<std::uint64_t>(random, 5000, 51);
  check_passed(wide, 51, little, 3);
  // Several pieces of pinned memory.
  const auto bytes = packable_values<std::uint8_t>(random, 10'000'000, 3);
  check_passed(bytes, 3, {}, 2);
}

TEST_CASE("device packing: nothing is packed or unpacked wrong in silence") {
  GSX_NEED_GPU();
  std::vector<std::uint32_t> values(20'000, 4095);
  values[19'001] = 4096;
  values[7003] = 8191;
  values[7004] = 9999;
  const auto expected =
      "2 value 7003 is 8191 and takes 13 bits, more than the 12 that were asked for";
  const DeviceCall little{true, false, 40'000};
  CHECK(error_of([&] { device_stream(values, 12, {}); }) == expected);
  CHECK(error_of([&] { device_interleaved(values, 12, {}); }) == expected);
  CHECK(error_of([&] { passed_stream(values, 12, little, 2); }) == expected);
  CHECK(error_of([&] { passed_interleaved(values, 12, little, 2); }) == expected);
  for (const std::uint32_t bits : {0u, 65u}) {
    const std::string wrong =
        "2 values cannot be packed in " + std::to_string(bits) + " bits; give 1 to 64";
    CHECK(error_of([&] { device_stream(values, bits, {}); }) == wrong);
    CHECK(error_of([&] { device_interleaved(values, bits, {}); }) == wrong);
    CHECK(error_of([&] { passed_stream(values, bits, {}, 1); }) == wrong);
    CHECK(error_of([&] { passed_interleaved(values, bits, {}, 1); }) == wrong);
  }
  const PackedArray stream = arrays::pack(values, 14);
  const InterleavedArray interleaved = arrays::pack_interleaved(values, 14);
  const auto beyond = "2 1000 values from 19500 on were asked for, of an array of 20000";
  const auto narrow = "2 values of 14 bits do not fit integers of 8";
  const auto check = [&](const auto& view) {
    std::vector<std::uint32_t> out(1000);
    std::vector<std::uint8_t> few(10);
    const std::vector<std::uint32_t> places(10, 0);
    CHECK(error_of([&] { device_unpacked<std::uint32_t>(view, 19'500, 1000, 0, {}); }) == beyond);
    CHECK(error_of([&] { device_unpacked<std::uint8_t>(view, 0, 10, 0, {}); }) == narrow);
    CHECK(error_of([&] { device_gathered<std::uint8_t>(view, places, {}); }) == narrow);
    CHECK(error_of([&] { pass_unpacked(view, 19'500, std::span(out), {}, 1); }) == beyond);
    CHECK(error_of([&] { pass_unpacked(view, 0, std::span(few), {}, 1); }) == narrow);
  };
  check(stream.view());
  check(interleaved.view());
  const std::string unaligned = "2 a packed array in device memory must be aligned to 16 bytes";
  CHECK(error_of([] { unpack_from_odd_address(); }) == unaligned);
  CHECK(error_of([] { gather_from_odd_address(); }) == unaligned);
}

TEST_CASE("device packing: what does not fit the device is refused") {
  GSX_NEED_GPU();
  const std::vector<std::uint32_t> values(20'000, 5);
  const DeviceCall nothing{true, false, 1000};
  CHECK_THROWS_AS((void)passed_stream(values, 3, nothing, 2), ResourceError);
  CHECK_THROWS_AS((void)passed_interleaved(values, 3, nothing, 2), ResourceError);
  const InterleavedArray packed = arrays::pack_interleaved(values, 3);
  std::vector<std::uint32_t> out(values.size());
  CHECK_THROWS_AS(pass_unpacked(packed.view(), 0, std::span(out), nothing, 2), ResourceError);
}

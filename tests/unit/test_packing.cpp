// Integers packed in both layouts, against naive ones, at every width and tail.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "arrays/packing/pack.hpp"
#include "gsx/arrays.hpp"
#include "gsx/error.hpp"
#include "support/packing_cases.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Unpacks to integers of one type, if they are large enough.
template <class Value, class View, class Source>
void check_unpacked(const View& view, const std::vector<Source>& values, int threads) {
  if (8 * sizeof(Value) < view.bits) return;
  for (const CpuPath path : packing_paths()) {
    std::vector<Value> out(values.size());
    unpack<Value>(view, 0, out, threads, path);
    REQUIRE(std::equal(out.begin(), out.end(), values.begin()));
  }
}

template <class View, class Source>
void check_view(const View& view, const std::vector<Source>& values, int threads) {
  REQUIRE(view.size == values.size());
  bool same = true;
  for (std::uint64_t i = 0; i < values.size(); ++i)
    same = same && view[i] == values[i];
  REQUIRE(same);
  check_unpacked<std::uint8_t>(view, values, threads);
  check_unpacked<std::uint16_t>(view, values, threads);
  check_unpacked<std::uint32_t>(view, values, threads);
  check_unpacked<std::uint64_t>(view, values, threads);
}

bool holds(const PackedArray& array, const std::vector<std::uint8_t>& naive) {
  const auto bytes = array.bytes();
  const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(naive.size());
  return bytes.size() == naive.size() + PackedView::slack &&
         std::equal(naive.begin(), naive.end(), bytes.begin()) &&
         std::all_of(end, bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}
bool holds(const InterleavedArray& array, const std::vector<std::uint32_t>& naive) {
  return array.words().size() == naive.size() &&
         std::equal(naive.begin(), naive.end(), array.words().begin());
}

template <class Value>
void check_both(const std::vector<Value>& values, std::uint32_t bits, int threads) {
  CAPTURE(values.size());
  CAPTURE(bits);
  const std::span<const Value> all(values);
  const PackedArray stream = arrays::pack(all, bits, threads);
  REQUIRE(holds(stream, naive_stream(values, bits)));
  check_view(stream.view(), values, threads);
  for (const CpuPath path : packing_paths()) {
    const InterleavedArray interleaved = pack_interleaved(all, bits, threads, path);
    REQUIRE(holds(interleaved, naive_interleaved(values, bits)));
    REQUIRE(interleaved.words().size_bytes() <= (values.size() * bits + 7) / 8 + 4 * (bits + 31));
    if (path == CpuPath::baseline) check_view(interleaved.view(), values, threads);
  }
}

/// The kind and the message of the error that a work ends with.
template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.kind())) + ' ' + error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("packing: every width, at the borders of groups, rows and blocks") {
  Random random(21);
  for (std::uint32_t bits = 1; bits <= 64; ++bits) {
    for (const std::uint64_t size : {0, 1, 7, 8, 9, 31, 32, 33, 63, 65, 1023, 1024, 1025, 2049}) {
      check_both(packable_values<std::uint64_t>(random, size, bits), bits, 1);
      if (bits <= 32) check_both(packable_values<std::uint32_t>(random, size, bits), bits, 1);
      if (bits <= 16) check_both(packable_values<std::uint16_t>(random, size, bits), bits, 1);
      if (bits <= 8) check_both(packable_values<std::uint8_t>(random, size, bits), bits, 1);
    }
  }
}

TEST_CASE("packing: every size up to two blocks and one") {
  Random random(22);
  for (const std::uint32_t bits : {1u, 2u, 3u, 5u, 7u, 13u}) {
    const auto values =
        packable_values<std::uint16_t>(random, 2 * InterleavedView::block + 1, bits);
    const auto words = naive_interleaved(values, bits);
    for (std::uint64_t size = 0; size <= values.size(); ++size) {
      CAPTURE(size);
      const std::span<const std::uint16_t> some(values.data(), size);
      const PackedArray stream = arrays::pack(some, bits, 1);
      const InterleavedArray interleaved = pack_interleaved(some, bits, 1, best_cpu_path());
      // All blocks but the last are those of the whole array.
      const std::uint64_t whole = size / InterleavedView::block * 32 * bits;
      REQUIRE(std::equal(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(whole),
                         interleaved.words().begin()));
      for (const CpuPath path : packing_paths()) {
        std::vector<std::uint16_t> out(size);
        unpack<std::uint16_t>(stream.view(), 0, out, 1, path);
        REQUIRE(std::equal(out.begin(), out.end(), values.begin()));
        std::fill(out.begin(), out.end(), 0);
        unpack<std::uint16_t>(interleaved.view(), 0, out, 1, path);
        REQUIRE(std::equal(out.begin(), out.end(), values.begin()));
      }
      if (size > 0) {
        REQUIRE(stream.view()[size - 1] == values[size - 1]);
        REQUIRE(interleaved.view()[size - 1] == values[size - 1]);
      }
    }
  }
}

TEST_CASE("packing: values all 0, and all the largest, in types wider and narrower than they are") {
  for (std::uint32_t bits = 1; bits <= 64; ++bits) {
    const std::uint64_t most = ~std::uint64_t{0} >> (64 - bits);
    check_both(std::vector<std::uint64_t>(77, 0), bits, 1);
    check_both(std::vector<std::uint64_t>(1101, most), bits, 1);
    check_both(std::vector<std::uint8_t>(1101, most > 200 ? 200 : 1), bits, 1);
    check_both(std::vector<std::uint32_t>(77, most > 70000 ? 70000 : 1), bits, 1);
  }
}

TEST_CASE("packing: any threads give the same, in several tasks") {
  Random random(23);
  for (const std::uint32_t bits : {3u, 13u, 32u, 47u, 61u}) {
    const auto values = packable_values<std::uint64_t>(random, 3 * 65'536 + 777, bits);
    for (int threads = 1; threads <= 3; ++threads)
      check_both(values, bits, threads);
  }
}

TEST_CASE("packing: ranges of an array that is larger than caches, to any address") {
  Random random(24);
  const auto values = packable_values<std::uint32_t>(random, 2'300'000, 29);
  const std::span<const std::uint32_t> all(values);
  const PackedArray stream = arrays::pack(all, 29, 2);
  const InterleavedArray interleaved = pack_interleaved(all, 29, 2, best_cpu_path());
  REQUIRE(holds(stream, naive_stream(values, 29)));
  REQUIRE(holds(interleaved, naive_interleaved(values, 29)));
  for (const std::uint64_t first : {0, 1, 1031, 65'535}) {
    for (const std::uint64_t offset : {0, 1, 5}) {
      for (int threads = 1; threads <= 3; ++threads) {
        const std::uint64_t count = 2'200'001 + offset;
        std::vector<std::uint32_t> out(offset + count + 1, 7);
        const auto check = [&] {
          const auto begin = out.begin() + static_cast<std::ptrdiff_t>(offset);
          REQUIRE(std::equal(begin, out.end() - 1,
                             values.begin() + static_cast<std::ptrdiff_t>(first)));
          REQUIRE((offset == 0 || out[offset - 1] == 7));
          REQUIRE(out.back() == 7);
          std::fill(out.begin(), out.end(), 7);
        };
        const std::span<std::uint32_t> place(out.data() + offset, count);
        arrays::unpack(stream.view(), first, place, threads);
        check();
        arrays::unpack(interleaved.view(), first, place, threads);
        check();
      }
    }
  }
}

TEST_CASE("packing: a writer of one lane gives what vectors of lanes give") {
  Random random(25);
  for (const std::uint32_t bits : {1u, 13u, 31u, 32u}) {
    const auto values = packable_values<std::uint32_t>(random, InterleavedView::block, bits);
    std::vector<std::uint32_t> words(InterleavedView::words_for(values.size(), bits));
    for (std::uint32_t lane = 0; lane < InterleavedView::lanes; ++lane) {
      InterleavedWriter<std::uint32_t> writer(words.data() + lane, InterleavedView::lanes);
      for (std::uint64_t i = lane; i < values.size(); i += InterleavedView::lanes)
        writer.push(values[i], bits);
      writer.finish();
    }
    CHECK(words == naive_interleaved(values, bits));
  }
}

TEST_CASE("packing: the bits that values need") {
  CHECK(arrays::bits_needed(std::vector<std::uint8_t>()) == 1);
  CHECK(arrays::bits_needed(std::vector<std::uint16_t>(100, 0)) == 1);
  for (std::uint32_t bits = 1; bits <= 64; ++bits) {
    std::vector<std::uint64_t> values(200'000, 0);
    values[bits * 3000] = std::uint64_t{1} << (bits - 1);
    CHECK(arrays::bits_needed(values, 3) == bits);
    if (bits <= 8)
      CHECK(arrays::bits_needed(std::vector<std::uint8_t>(9, 1 << (bits - 1))) == bits);
  }
}

TEST_CASE("packing: nothing is packed or unpacked wrong in silence") {
  std::vector<std::uint32_t> values(200'000, 4095);
  values[190'001] = 4096;
  values[70'003] = 8191;
  values[70'004] = 9999;
  for (int threads = 1; threads <= 3; ++threads) {
    const auto expected =
        "2 value 70003 is 8191 and takes 13 bits, more than the 12 that were asked for";
    CHECK(error_of([&] { arrays::pack(values, 12, threads); }) == expected);
    CHECK(error_of([&] { arrays::pack_interleaved(values, 12, threads); }) == expected);
  }
  for (const std::uint32_t bits : {0u, 65u, ~0u}) {
    const std::string expected =
        "2 values cannot be packed in " + std::to_string(bits) + " bits; give 1 to 64";
    CHECK(error_of([&] { arrays::pack(values, bits); }) == expected);
    CHECK(error_of([&] { arrays::pack_interleaved(values, bits); }) == expected);
    CHECK(error_of([&] { arrays::pack(std::vector<std::uint8_t>(), bits); }) == expected);
  }
  const PackedArray stream = arrays::pack(values, 14);
  const InterleavedArray interleaved = arrays::pack_interleaved(values, 14);
  std::vector<std::uint32_t> out(1000);
  const auto check = [&](const auto& view) {
    const auto beyond = [](std::uint64_t first) {
      return "2 1000 values from " + std::to_string(first) +
             " on were asked for, of an array of 200000";
    };
    for (const std::uint64_t first : {199'001, 200'000, 200'001})
      CHECK(error_of([&] { arrays::unpack(view, first, out); }) == beyond(first));
    const std::uint64_t last = ~std::uint64_t{0} - 5;
    CHECK(error_of([&] { arrays::unpack(view, last, out); }) == beyond(last));
    CHECK(error_of([&] { arrays::unpack(view, 199'000, out); }) == "none");
    std::vector<std::uint8_t> narrow(10);
    CHECK(error_of([&] { arrays::unpack(view, 0, narrow); }) ==
          "2 values of 14 bits do not fit integers of 8");
    CHECK(error_of([&] { arrays::unpack(view, 200'000, std::span<std::uint32_t>()); }) == "none");
  };
  check(stream.view());
  check(interleaved.view());
  CHECK(error_of([&] { arrays::unpack(PackedArray().view(), 0, std::span<std::uint8_t>()); }) ==
        "none");
  CHECK(error_of([&] {
          arrays::unpack(InterleavedArray().view(), 0, std::span<std::uint8_t>());
        }) == "none");
}

#ifndef GSX_SANITIZED  // their allocators end the process
TEST_CASE("packing: short memory is a ResourceError") {
  // Larger than any address space, so that nothing of it is read.
  const std::uint8_t one = 1;
  const std::span<const std::uint8_t> values(&one, std::uint64_t{1} << 57);
  CHECK_THROWS_AS(arrays::pack(values, 32), ResourceError);
  CHECK_THROWS_AS(arrays::pack_interleaved(values, 32), ResourceError);
}
#endif

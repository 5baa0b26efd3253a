// Random arrays, packed and unpacked in random ways.
#include <doctest/doctest.h>

#include <algorithm>

#include "arrays/packing/pack.hpp"
#include "gsx/arrays.hpp"
#include "support/packing_cases.hpp"
#include "support/seeds.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

template <class Value, class View>
void check_ranges(const View& view, const std::vector<Value>& values, Random& random) {
  for (int k = 0; k < 5; ++k) {
    const std::uint64_t first = below(random, values.size() + 1);
    std::vector<Value> out(below(random, values.size() - first + 1));
    for (const CpuPath path : packing_paths()) {
      std::fill(out.begin(), out.end(), 0);
      unpack<Value>(view, first, out, static_cast<int>(1 + below(random, 3)), path);
      REQUIRE(
          std::equal(out.begin(), out.end(), values.begin() + static_cast<std::ptrdiff_t>(first)));
    }
    if (first < values.size()) REQUIRE(view[first] == values[first]);
  }
}

template <class Value>
void check_random_array(Random& random) {
  const auto bits = static_cast<std::uint32_t>(1 + below(random, 8 * sizeof(Value)));
  const std::uint64_t size = below(random, below(random, 8) == 0 ? 300'000 : 5000);
  CAPTURE(bits);
  CAPTURE(size);
  const auto values = packable_values<Value>(random, size, bits);
  REQUIRE(arrays::bits_needed(values, 2) <= bits);
  const int threads = static_cast<int>(1 + below(random, 3));
  const PackedArray stream = arrays::pack(values, bits, threads);
  const auto bytes = naive_stream(values, bits);
  REQUIRE(std::equal(bytes.begin(), bytes.end(), stream.bytes().begin()));
  check_ranges(stream.view(), values, random);
  const auto words = naive_interleaved(values, bits);
  for (const CpuPath path : packing_paths()) {
    const std::span<const Value> all(values);
    const InterleavedArray interleaved = pack_interleaved(all, bits, threads, path);
    REQUIRE(std::equal(words.begin(), words.end(), interleaved.words().begin(),
                       interleaved.words().end()));
    check_ranges(interleaved.view(), values, random);
  }
}

}  // namespace

TEST_CASE("packed integers are those that went in, whatever their width, number and range") {
  for (int round = 0; round < rounds(40); ++round) {
    const std::uint64_t seed = run_seed() + static_cast<std::uint64_t>(round);
    CAPTURE(seed);
    Random random(seed);
    check_random_array<std::uint8_t>(random);
    check_random_array<std::uint16_t>(random);
    check_random_array<std::uint32_t>(random);
    check_random_array<std::uint64_t>(random);
  }
}

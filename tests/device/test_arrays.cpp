// LCP arrays, nearest smaller values and range minima of device memory are those of the CPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "device_calls/array_checks.hpp"
#include "gsx/arrays.hpp"
#include "gsx/suffix_array.hpp"
#include "support/gpu.hpp"
#include "support/number_shapes.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

const DeviceCall calls[] = {{}, {false, false}, {true, true}, {false, true}};

/// Kasai and others, 2001.
template <class Pos>
std::vector<Pos> lcps_of(const std::string& text, const std::vector<Pos>& rows) {
  std::vector<std::size_t> row_of(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    row_of[rows[row]] = row;
  std::vector<Pos> lcps(rows.size());
  std::size_t same = 0;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    if (row_of[p] == 0) {
      same = 0;
      continue;
    }
    const std::size_t q = rows[row_of[p] - 1];
    while (std::max(p, q) + same < text.size() && text[p + same] == text[q + same])
      ++same;
    lcps[row_of[p]] = static_cast<Pos>(same);
    same -= same > 0 ? 1 : 0;
  }
  return lcps;
}

std::vector<std::string> texts() {
  Random random(41);
  std::string letters, period;
  for (int value = 0; value < 255; ++value)
    letters += static_cast<char>(value + 1);
  for (std::uint64_t i = 0; i < share_of(4000, 300); ++i)
    period += "ACGTA";
  const std::string unit = random_string(random, 3000, "ACGT");
  return {"",
          "a",
          "banana",
          letters + letters,
          std::string(share_of(100'000, 3000), 'A'),
          period + "C" + period,
          unit + unit + "A" + unit,
          fibonacci_word(share_of(60'000, 3000), 'a', 'b'),
          random_string(random, share_of(400'000, 20'000), "ACGT"),
          random_string(random, 5000, "ACDEFGHIKLMNPQRSTVWY") + std::string(700, 'W'),
          mutated_copies(random, 700, 40, 400, "ACGT")};
}

template <class Value, class Position>
void check_neighbours(const std::vector<Value>& values, const DeviceCall& call) {
  constexpr Smaller rules[] = {Smaller::strictly, Smaller::or_equal};
  for (const Smaller on_left : rules) {
    for (const Smaller on_right : rules) {
      const SmallerRules both{on_left, on_right};
      std::vector<Position> left(values.size()), right(values.size());
      arrays::nearest_smaller(std::span<const Value>(values), std::span<Position>(left),
                              std::span<Position>(right), both, 2);
      const auto found = device_nearest_smaller<Value, Position>(values, both, true, true, call);
      CHECK((found.left == left));
      CHECK((found.right == right));
      CHECK(
          (device_nearest_smaller<Value, Position>(values, both, true, false, call).left == left));
      CHECK((device_nearest_smaller<Value, Position>(values, both, false, true, call).right ==
             right));
    }
  }
}

template <class Value>
void check_arrays(std::uint64_t seed) {
  Random random(seed);
  std::size_t which = 0;
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{15}, std::uint64_t{17},
        std::uint64_t{256}, std::uint64_t{2047}, std::uint64_t{2049}, std::uint64_t{4097},
        share_of(300'000, 5000)}) {
    for (const auto& values : number_shapes<Value>(random, size)) {
      CAPTURE(size);
      const DeviceCall& call = calls[which++ % std::size(calls)];
      if (which % 2 == 0) {
        check_neighbours<Value, std::uint32_t>(values, call);
      } else {
        check_neighbours<Value, std::uint64_t>(values, call);
      }
      std::vector<ValueRange> ranges;
      for (int k = 0; size > 0 && k < 300; ++k) {
        const std::uint64_t begin = below(random, size);
        const std::uint64_t most =
            k % 3 == 0 ? size - begin : std::min(size - begin, size / 50 + 3);
        ranges.push_back({begin, begin + 1 + below(random, most)});
      }
      if (size > 0) ranges.push_back({0, size});
      const RangeMinima<Value> minima(values, 2);
      std::vector<std::uint64_t> expected(ranges.size());
      arrays::leftmost_minima(minima, std::span<const ValueRange>(ranges),
                              std::span<std::uint64_t>(expected), 2);
      const auto found = device_range_minima(values, ranges, call);
      CHECK((found.positions == expected));
      CHECK((found.by_kernel == expected));
      CHECK(found.bytes == minima.bytes());
      for (std::size_t k = 0; k < ranges.size(); ++k)
        REQUIRE(found.minima[k] == values[expected[k]]);
    }
  }
}

}  // namespace

TEST_CASE("device memory: LCP arrays of bytes") {
  GSX_NEED_GPU();
  std::size_t which = 0;
  for (const std::string& text : texts()) {
    CAPTURE(text.size());
    CAPTURE(text.substr(0, 50));
    const SuffixArray sa = suffix_array(text, {.device = "cpu"});
    const DeviceCall& call = calls[which++ % std::size(calls)];
    std::vector<std::uint32_t> narrow(sa.size());
    std::vector<std::uint64_t> wide(sa.size());
    for (std::uint64_t row = 0; row < sa.size(); ++row)
      wide[row] = narrow[row] = static_cast<std::uint32_t>(sa[row]);
    CHECK((device_lcp(text, narrow, call) == lcps_of(text, narrow)));
    CHECK((device_lcp(text, wide, call) == lcps_of(text, wide)));
  }
}

TEST_CASE("device memory: nearest smaller values and range minima of bytes") {
  GSX_NEED_GPU();
  check_arrays<std::uint8_t>(51);
}

TEST_CASE("device memory: nearest smaller values and range minima of 16 bits") {
  GSX_NEED_GPU();
  check_arrays<std::uint16_t>(52);
}

TEST_CASE("device memory: nearest smaller values and range minima of 32 bits") {
  GSX_NEED_GPU();
  check_arrays<std::uint32_t>(53);
}

TEST_CASE("device memory: nearest smaller values and range minima of 64 bits") {
  GSX_NEED_GPU();
  check_arrays<std::uint64_t>(54);
}

TEST_CASE("device memory: arrays that do not fit are refused") {
  GSX_NEED_GPU();
  const std::vector<std::uint32_t> values(100'000, 7);
  const DeviceCall small{true, false, 1000};
  CHECK_THROWS_AS(
      (void)(device_nearest_smaller<std::uint32_t, std::uint32_t>(values, {}, true, true, small)),
      ResourceError);
  CHECK_THROWS_AS((void)device_range_minima(values, {{0, 1}}, small), ResourceError);
  const std::string text(100'000, 'A');
  std::vector<std::uint32_t> rows(text.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    rows[row] = static_cast<std::uint32_t>(rows.size() - 1 - row);
  CHECK_THROWS_AS((void)device_lcp(text, rows, small), ResourceError);
}

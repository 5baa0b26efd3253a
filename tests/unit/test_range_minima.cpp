// Range minima, and the nearest values below a bound, against a look at every value.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "gsx/arrays.hpp"
#include "gsx/error.hpp"
#include "support/number_shapes.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

template <class Value>
std::uint64_t naive_leftmost(const std::vector<Value>& values, std::uint64_t begin,
                             std::uint64_t end) {
  const auto first = values.begin();
  return static_cast<std::uint64_t>(std::min_element(first + static_cast<std::ptrdiff_t>(begin),
                                                     first + static_cast<std::ptrdiff_t>(end)) -
                                    first);
}

template <class Value>
void check_range(const RangeMinimaView<Value>& view, const std::vector<Value>& values,
                 std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t expected = naive_leftmost(values, begin, end);
  const std::uint64_t found = view.leftmost(begin, end);
  if (found == expected && view.minimum(begin, end) == values[expected]) return;
  CAPTURE(begin);
  CAPTURE(end);
  CHECK(found == expected);
  CHECK(view.minimum(begin, end) == values[expected]);
}

template <class Value>
void check_bound(const RangeMinimaView<Value>& view, const std::vector<Value>& values,
                 std::uint64_t i, Value bound) {
  std::uint64_t before = view.none, after = view.none;
  for (std::uint64_t j = 0; j < values.size(); ++j) {
    if (values[j] >= bound) continue;
    if (j < i) before = j;
    if (j >= i && after == view.none) after = j;
  }
  if (view.previous_below(i, bound) == before && view.next_below(i, bound) == after) return;
  CAPTURE(i);
  CHECK(view.previous_below(i, bound) == before);
  CHECK(view.next_below(i, bound) == after);
}

template <class Value>
void check_all(const std::vector<Value>& values, Random& random) {
  const RangeMinima<Value> minima(values, static_cast<int>(1 + below(random, 5)));
  const RangeMinimaView<Value> view = minima.view();
  const std::uint64_t n = values.size();
  const bool is_small = n <= 40;
  for (std::uint64_t begin = 0; is_small && begin < n; ++begin) {
    for (std::uint64_t end = begin + 1; end <= n; ++end)
      check_range(view, values, begin, end);
  }
  for (int k = 0; k < 200 && n > 0 && !is_small; ++k) {
    const std::uint64_t a = below(random, n), b = below(random, n);
    check_range(view, values, std::min(a, b), std::max(a, b) + 1);
    const std::uint64_t near = std::min(n, a + 1 + below(random, 64));
    check_range(view, values, a, near);
  }
  CHECK(view.size == n);
  if (n > 0) check_range(view, values, 0, n);
  for (std::uint64_t k = 0; k < (is_small ? n + 1 : 100); ++k) {
    const std::uint64_t i = is_small ? k : below(random, n + 1);
    const Value value = n == 0 ? Value{3} : values[below(random, n)];
    for (const Value bound : {value, static_cast<Value>(value + 1), Value{0}, Value{1}})
      check_bound(view, values, i, bound);
  }
}

template <class Value>
void check_shapes() {
  Random random(31);
  for (const std::uint64_t size :
       {0,   1,   2,   15,  16,   17,   31,   32,   33,    40,    255,   256,
        257, 271, 272, 273, 4095, 4096, 4097, 4353, 65535, 65536, 65537, 70000}) {
    if (size > 5000 && sizeof(Value) == 2) continue;
    for (const auto& values : number_shapes<Value>(random, size)) {
      CAPTURE(size);
      check_all(values, random);
    }
  }
}

}  // namespace

TEST_CASE("range minima: the leftmost minimum of each range, the nearest values below each bound") {
  check_shapes<std::uint8_t>();
  check_shapes<std::uint16_t>();
  check_shapes<std::uint32_t>();
  check_shapes<std::uint64_t>();
}

TEST_CASE("range minima: every size around whole groups, every range") {
  Random random(32);
  for (std::uint64_t size = 0; size <= 36; ++size) {
    for (const auto& values : number_shapes<std::uint32_t>(random, size))
      check_all(values, random);
  }
}

TEST_CASE("range minima: many ranges at once, on any number of threads") {
  Random random(33);
  std::vector<std::uint32_t> values(100'003);
  for (std::uint32_t& value : values)
    value = static_cast<std::uint32_t>(below(random, 5000));
  std::vector<ValueRange> ranges(20'000);
  for (ValueRange& range : ranges) {
    const std::uint64_t a = below(random, values.size()), b = below(random, values.size());
    range = {std::min(a, b), std::max(a, b) + 1};
  }
  const RangeMinima<std::uint32_t> minima(values, 3);
  for (const int threads : {1, 2, 5}) {
    std::vector<std::uint64_t> found(ranges.size());
    arrays::leftmost_minima(minima, ranges, found, threads);
    std::uint64_t wrong = 0;
    for (std::size_t k = 0; k < ranges.size(); ++k)
      wrong += found[k] != minima.view().leftmost(ranges[k].begin, ranges[k].end);
    CHECK(wrong == 0);
  }
}

TEST_CASE("range minima: ranges that hold nothing, or reach beyond the array, are refused") {
  const std::vector<std::uint32_t> values{3, 1, 2};
  const RangeMinima<std::uint32_t> minima(values);
  std::vector<std::uint64_t> found(1);
  for (const ValueRange wrong : {ValueRange{1, 1}, ValueRange{2, 1}, ValueRange{0, 4}}) {
    const std::vector<ValueRange> ranges{wrong};
    CHECK_THROWS_AS(arrays::leftmost_minima(minima, ranges, found), UsageError);
  }
  const std::vector<ValueRange> two{{0, 1}, {0, 3}};
  CHECK_THROWS_AS(arrays::leftmost_minima(minima, two, found), UsageError);
}

TEST_CASE("range minima: filled part by part as the values come, in any order") {
  using Minima = RangeMinima<std::uint32_t>;
  Random random(12);
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{17}, Minima::fill_unit - 1,
        Minima::fill_unit, Minima::fill_unit + 1, 3 * Minima::fill_unit + 4711}) {
    CAPTURE(n);
    std::vector<std::uint32_t> values(n), coming(n);
    for (std::uint32_t& value : coming)
      value = static_cast<std::uint32_t>(below(random, 1 << 20));
    Minima parts(values, Minima::Unfilled());
    for (std::uint64_t end = n; end > 0;) {
      const std::uint64_t begin = (end - 1) / Minima::fill_unit * Minima::fill_unit;
      std::copy(coming.begin() + static_cast<std::ptrdiff_t>(begin),
                coming.begin() + static_cast<std::ptrdiff_t>(end),
                values.begin() + static_cast<std::ptrdiff_t>(begin));
      parts.fill(begin, end);
      end = begin;
    }
    parts.finish();
    for (int i = 0; n > 0 && i < 2000; ++i) {
      const std::uint64_t begin = below(random, n), end = begin + 1 + below(random, n - begin);
      check_range(parts.view(), values, begin, std::min(end, begin + 3000));
    }
    const Minima whole(coming);
    for (int i = 0; n > 0 && i < 2000; ++i) {
      const std::uint64_t begin = below(random, n), end = begin + 1 + below(random, n - begin);
      REQUIRE(parts.view().leftmost(begin, end) == whole.view().leftmost(begin, end));
    }
  }
}

TEST_CASE("range minima take at most 10 % of an array of 32-bit numbers") {
  for (const std::uint64_t size : {10'000, 65'536, 1'000'000}) {
    const std::vector<std::uint32_t> values(size, 7);
    CHECK(RangeMinima<std::uint32_t>(values, 1).bytes() * 10 <= size * 4);
  }
}

TEST_CASE("range minima stay valid when their owner moves") {
  std::vector<std::uint32_t> values(5000);
  for (std::uint32_t i = 0; i < values.size(); ++i)
    values[i] = (i * 2654435761u) >> 8;
  RangeMinima<std::uint32_t> first(values, 2);
  const RangeMinimaView<std::uint32_t> view = first.view();
  const RangeMinima<std::uint32_t> second = std::move(first);
  CHECK(view.leftmost(10, 4900) == naive_leftmost(values, 10, 4900));
  CHECK(second.view().leftmost(10, 4900) == naive_leftmost(values, 10, 4900));
}

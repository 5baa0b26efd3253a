#include "bench/cpu_arrays.hpp"

#include "arrays/minima/nearest_smaller.hpp"
#include "arrays/minima/range_queries.hpp"
#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "bench/best_rate.hpp"
#include "index/lcp/lcp_builder.hpp"
#include "index/sa/builder.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t most_ranges = std::uint64_t{1} << 22;

template <class Value, class ValueOf>
Buffer<Value> filled(std::uint64_t size, int threads, const ValueOf& value_of) {
  Buffer<Value> values(size, "array to measure");
  parallel_for(threads, 64, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(size, 64, s);
    for (std::uint64_t i = slice.begin; i < slice.end; ++i)
      values[i] = value_of(i);
  });
  return values;
}

/// What is written without any library: a loop over an array of positions.
void plain_stack(std::span<const std::uint32_t> values, std::uint32_t* left, std::uint32_t* right) {
  constexpr std::uint32_t none = no_position<std::uint32_t>;
  Buffer<std::uint32_t> stack(values.size(), "stack");
  std::uint64_t depth = 0;
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    while (depth > 0 && values[stack[depth - 1]] > values[i])
      right[stack[--depth]] = i;
    // Of equal values, the one before is not smaller, but has the same neighbour.
    left[i] = depth == 0                              ? none
              : values[stack[depth - 1]] == values[i] ? left[stack[depth - 1]]
                                                      : stack[depth - 1];
    stack[depth++] = i;
  }
  while (depth > 0)
    right[stack[--depth]] = none;
}

}  // namespace

std::vector<QueryRate> measure_cpu_arrays(std::uint64_t size, int threads, CpuPath path) {
  const auto values = filled<std::uint32_t>(size, threads, measured_value);
  std::vector<QueryRate> rates;
  {
    Buffer<std::uint32_t> left(size, "neighbours"), right(size, "neighbours");
    rates.push_back(
        {"nearest smaller values, plain stack, 1 thread",
         best_rate(size, [&] { plain_stack(values.span(), left.data(), right.data()); }),
         "values/s"});
    rates.push_back({"nearest smaller values, both sides",
                     best_rate(size,
                               [&] {
                                 nearest_smaller<std::uint32_t>(values.span(), {}, left.span(),
                                                                right.span(), threads);
                               }),
                     "values/s"});
  }
  rates.push_back(
      {"range minima, built",
       best_rate(size, [&] { (void)RangeMinima<std::uint32_t>(values.span(), threads); }),
       "values/s"});
  const RangeMinima<std::uint32_t> minima(values.span(), threads);
  const auto ranges = filled<ValueRange>(most_ranges, threads,
                                         [&](std::uint64_t k) { return measured_range(k, size); });
  Buffer<std::uint64_t> positions(most_ranges, "positions");
  rates.push_back(
      {"range minima, leftmost positions, random ends",
       best_rate(
           most_ranges,
           [&] { leftmost_minima(minima.view(), ranges.span(), positions.span(), threads, path); }),
       "queries/s"});
  return rates;
}

std::vector<QueryRate> measure_cpu_lcp(const TextView& text, int threads) {
  const SuffixArray sa = build_suffix_array(text, threads);
  return {{"LCP array, suffix array given",
           best_rate(text.length(), [&] { (void)build_lcp_array(text, sa, threads); }),
           "symbols/s"}};
}

}  // namespace gsx

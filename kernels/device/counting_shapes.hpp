// What the device holds while suffixes are sorted, with the collectors that count k-mers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "kernels/analysis/mappability/near_collector.hpp"
#include "kernels/index/lcp/kmer_collector.hpp"
#include "kernels/index/sa/sort_plan.hpp"
#include "text/both_strands.hpp"

namespace gsx::cuda {

/// Sorting alone.
template <class Pos>
SortShape shape_of(std::uint64_t length, std::uint32_t bits, std::uint64_t segments) {
  SortShape shape;
  shape.length = length;
  shape.symbol_bits = bits;
  shape.position_bytes = sizeof(Pos);
  shape.segments = segments;
  shape.most_at_once = 2;
  return shape;
}

/// Sorting with a collector that takes `result_bytes` in all; nothing where no plan for that has
/// room in `available` bytes.
template <class Pos, class Collector>
std::optional<SortShape> counting_shape(const TextView& text, std::uint64_t result_bytes,
                                        std::uint64_t available) {
  SortShape shape = shape_of<Pos>(text.length(), text.symbols.bits, text.segments.count);
  shape.result_bytes_in_batch = Collector::bytes_per_row_of_batch;
  shape.result_bytes = result_bytes;
  if (sort_plans(shape, available).empty()) return std::nullopt;
  return shape;
}

/// Counting k-mers, and those with mismatches; nothing either where the device does not count
/// these.
template <class Pos>
std::optional<SortShape> kmer_shape(const BothStrandsView& text,
                                    std::span<const std::uint64_t> lengths,
                                    std::uint64_t available) {
  using Collector = KmerCollector<Pos>;
  if (!Collector::can_count(text.text, lengths)) return std::nullopt;
  return counting_shape<Pos, Collector>(text.text, Collector::bytes(text.half, lengths.size()),
                                        available);
}
template <class Pos>
std::optional<SortShape> near_shape(const BothStrandsView& text, const NearKmers& near,
                                    std::uint64_t available) {
  using Collector = NearCollector<Pos>;
  if (!Collector::can_count(text.text, near)) return std::nullopt;
  return counting_shape<Pos, Collector>(text.text, Collector::bytes(text.half), available);
}

}  // namespace gsx::cuda

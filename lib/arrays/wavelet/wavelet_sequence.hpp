// Owner and builder of a WaveletSequenceView.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arrays/rank/quad_vector.hpp"
#include "arrays/wavelet/distinct_values.hpp"
#include "arrays/wavelet/wavelet_sequence_view.hpp"
#include "arrays/wavelet/wavelet_tree.hpp"
#include "base/buffer.hpp"
#include "base/export.hpp"

namespace gsx {

class LevelMaker;
struct LevelSizes;

/// Integers of any alphabet, with access, rank and select. Owns its memory and only moves.
class GSX_API WaveletSequence {
 public:
  WaveletSequence() = default;
  /// Builds it from an array of unsigned integers of 8, 16, 32 or 64 bits, with at most 2^32 - 1
  /// distinct values. `threads` is 0 for as many as this process may run. Cost: one pass for the
  /// distinct values, or a sort where they are far apart, and three passes per level. Memory while
  /// it is built: a table of the values, or a copy of the array and 16 bytes per distinct value;
  /// then twice 1, 2 or 4 bytes per element, by the length of codes. Throws UsageError for too many
  /// distinct values, ResourceError.
  template <class Value>
  explicit WaveletSequence(std::span<const Value> array,
                           WaveletShape shape = WaveletShape::balanced, int threads = 0);
  template <class Value>
  explicit WaveletSequence(const std::vector<Value>& array,
                           WaveletShape shape = WaveletShape::balanced, int threads = 0)
      : WaveletSequence(std::span<const Value>(array), shape, threads) {}
  /// With levels that `maker` makes. Throws what that throws, too.
  template <class Value>
  WaveletSequence(std::span<const Value> array, WaveletShape shape, int threads, LevelMaker& maker);

  std::uint64_t size() const { return size_; }
  /// The distinct values, ascending; the symbol of a value is its index.
  std::span<const std::uint64_t> values() const { return distinct_.values; }
  WaveletShape shape() const { return shape_; }
  /// Digits of all elements together: what the levels hold.
  std::uint64_t digits() const;
  /// Bytes of the levels and tables.
  std::uint64_t bytes() const;

  /// Valid while this lives.
  WaveletSequenceView view() const;

 private:
  template <class Value>
  void build(std::span<const Value> array, int threads, LevelMaker& maker);
  LevelSizes level_sizes() const;
  template <class Code, class Value>
  void add_levels(std::span<const Value> array, int threads, LevelMaker& maker);
  template <class Value>
  void count_symbols(std::span<const Value> array, int threads);
  void find_firsts();

  std::uint64_t size_ = 0;
  WaveletShape shape_ = WaveletShape::balanced;
  DistinctValues distinct_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint64_t> firsts_;
  WaveletTree tree_;  ///< level_count only, in the balanced shape
  std::vector<QuadVector> levels_;
  std::vector<Buffer<std::uint32_t>> hints_;
};

}  // namespace gsx

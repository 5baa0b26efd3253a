// Encodes query records as patterns over the alphabet of an index.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/cpu_path.hpp"
#include "records/record_batch.hpp"
#include "search/exact/searcher.hpp"
#include "text/alphabet.hpp"

namespace gsx {

/// Owns encoded patterns; reused from batch to batch.
class PatternBuffer {
 public:
  /// Encodes every record of `batch`, replacing the patterns before. If the batch has its bases
  /// packed, these are the patterns, and are used while it stays as it is. Cost: one pass; 16 or 32
  /// symbols per step for DNA, otherwise one table look-up per symbol; with bases, 9 bytes per
  /// record. Pre: with bases, the alphabet is that of DNA.
  void encode(const RecordBatch& batch, const Alphabet& alphabet, CpuPath path = best_cpu_path());
  void encode(std::span<const std::string_view> patterns, const Alphabet& alphabet,
              CpuPath path = best_cpu_path());
  Patterns patterns() const { return {codes_, ends_, 0, packed_, foreign_}; }

 private:
  void take_bases(const RecordBatch& batch);

  std::vector<std::uint8_t> codes_;
  std::vector<std::uint64_t> ends_;
  PackedView packed_;
  std::vector<std::uint8_t> foreign_;  ///< of packed ones
};

}  // namespace gsx

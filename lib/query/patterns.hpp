// Query records as patterns over an index's alphabet.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "search/searcher.hpp"
#include "seq/record_batch.hpp"
#include "text/alphabet.hpp"

namespace gsx {

/// Owner of encoded patterns; reused from batch to batch.
class PatternBuffer {
 public:
  /// Encodes every record of `batch`; replaces what was there.
  /// Cost: one pass, 16 symbols a step for DNA, else a table look-up a symbol.
  void encode(const RecordBatch& batch, const Alphabet& alphabet);
  void encode(std::span<const std::string_view> patterns, const Alphabet& alphabet);
  Patterns patterns() const { return {codes_, ends_}; }

 private:
  std::vector<std::uint8_t> codes_;
  std::vector<std::uint64_t> ends_;
};

}  // namespace gsx

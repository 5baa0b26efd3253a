// Reads whose qualities may decide what they become.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "base/memory_growth.hpp"
#include "seq/record_batch.hpp"
#include "sets/key_lookup.hpp"
#include "sets/read_decision.hpp"
#include "sets/set_reader.hpp"

namespace gsx {

/// The sequences and qualities of reads that are no entry of a whitelist. As they become many,
/// those without several nearest entries are left out, so the order and number of additions do not
/// show in what they decide. Memory: two bytes per symbol of a read.
class UncertainReads {
 public:
  /// Pre: the whitelist is not empty, and stays as it is until the last read is added.
  UncertainReads(const SequenceSet& whitelist, unsigned distance, const NeighborOptions& options,
                 const RequireMemory& require);

  std::uint32_t length() const { return whitelist_.shape().length; }
  /// Appends the reads of a batch that are no entry to `text`, for add(). Any thread may call it.
  /// Pre: the ranges take sequences of length() from each read that is not too short.
  void gather(const RecordBatch& batch, const SymbolRanges& at, std::string& text) const;
  /// Throws ResourceError.
  void add(const std::string& text);

  /// What becomes of the sequences with several nearest entries: of these reads by their
  /// qualities, and of all others by counts alone.
  DecidedReads decide(const SetCorrections& corrections) const;

 private:
  /// Below so many bytes, nothing is left out.
  static constexpr std::uint64_t usual_bytes = std::uint64_t{32} << 20;

  void leave_out();

  const SequenceSet& whitelist_;
  unsigned distance_;
  NeighborOptions options_;
  RequireMemory require_;
  std::variant<std::monostate, KeyLookup<1>, KeyLookup<2>, KeyLookup<3>, KeyLookup<4>> lookup_;
  std::string reads_;  ///< the symbols of each, and then its qualities
  std::uint64_t most_bytes_ = usual_bytes;
};

}  // namespace gsx

// Reads whose qualities may decide what they become.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "analysis/barcodes/read_decision.hpp"
#include "analysis/barcodes/set_reader.hpp"
#include "base/memory_growth.hpp"
#include "records/record_batch.hpp"
#include "search/sets/key_lookup.hpp"
#include "search/sets/set_builder.hpp"

namespace gsx {

/// The sequences and qualities of reads that are no entry of a whitelist. As they become many,
/// those without several nearest entries are left out, so the order and number of additions do not
/// show in what they decide. Memory: two bytes per symbol of a read.
class UncertainReads {
 public:
  /// Below so many bytes, nothing is left out.
  static constexpr std::uint64_t usual_bytes = std::uint64_t{32} << 20;

  /// Pre: the whitelist is not empty, and stays as it is until the last read is added.
  UncertainReads(const SequenceSet& whitelist, unsigned distance, const NeighborOptions& options,
                 const RequireMemory& require = {}, std::uint64_t least_bytes = usual_bytes);

  std::uint32_t length() const { return whitelist_.shape().length; }
  /// Appends some reads of a batch to `text`, for add(), if they are no entry. Their keys, of
  /// length() symbols that the ranges take, are in `keys`, in so many bits per symbol. Any thread
  /// may call it.
  void gather(const RecordBatch& batch, const SymbolRanges& at,
              const std::vector<std::uint32_t>& reads, const KeyList& keys, std::uint32_t bits,
              std::string& text) const;
  /// Adds reads: the symbols of each, and then its qualities. Throws ResourceError.
  void add(const std::string& text);
  std::uint64_t bytes() const { return reads_.size(); }

  /// What becomes of the sequences with several nearest entries: of these reads by their
  /// qualities, and of all others by counts alone.
  DecidedReads decide(const SetCorrections& corrections) const;

 private:
  void leave_out();

  const SequenceSet& whitelist_;
  unsigned distance_;
  NeighborOptions options_;
  RequireMemory require_;
  std::variant<std::monostate, KeyLookup<1>, KeyLookup<2>, KeyLookup<3>, KeyLookup<4>> lookup_;
  std::string reads_;
  std::uint64_t least_bytes_, most_bytes_;
};

}  // namespace gsx

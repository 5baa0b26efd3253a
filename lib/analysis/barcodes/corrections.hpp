// What the sequences of a set should have been.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/barcodes/posterior.hpp"
#include "search/sets/neighbors.hpp"

namespace gsx {

/// The corrections of a set by its own counts. The target of a sequence is its most frequent
/// neighbour that explains it and is more frequent, and then the target of that one, to the end. A
/// sequence with no such neighbour is exact. One with several that are equally frequent is
/// ambiguous. Both are their own targets. Throws ResourceError.
std::vector<Correction> correct_by_counts(const SequenceSet& set, unsigned distance,
                                          const NeighborOptions& options);

/// The corrections of a set to a whitelist of the same shape, whose counts are those in the set. An
/// entry is exact. Any other sequence has the only entry at the smallest distance; or of several,
/// the likeliest() one by counts, and is ambiguous if there is none. If `several` is there, it gets
/// the sequences with several nearest entries. Throws ResourceError.
std::vector<Correction> correct_to_whitelist(const SequenceSet& set, const SequenceSet& whitelist,
                                             unsigned distance, const NeighborOptions& options,
                                             Confidence confidence = {},
                                             NearestEntries* several = nullptr);

/// Gives the entries of a whitelist the counts that they have in `set`, or 0. Pre: one shape,
/// and `set` is not empty.
void take_counts(SequenceSet& whitelist, const SequenceSet& set);

/// Numbers of sequences by their corrections.
struct CorrectionFigures {
  std::uint64_t exact = 0, corrected = 0, ambiguous = 0, unmatched = 0;

  void add(CorrectionKind kind, std::uint64_t count);
};

}  // namespace gsx

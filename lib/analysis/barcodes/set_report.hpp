// Neighbours, clusters and corrections as tables.
#pragma once

#include <functional>
#include <string_view>

#include "analysis/barcodes/read_decision.hpp"

namespace gsx {

/// Takes text in order.
using WriteText = std::function<void(std::string_view text)>;

/// Pairs of a set, or of a set and a whitelist whose counts are those in the set.
class NeighborReport {
 public:
  /// `whitelist` may be null.
  NeighborReport(const SequenceSet& set, const SequenceSet* whitelist)
      : set_(set),
        second_(whitelist != nullptr ? *whitelist : set),
        named_(set_.has_names() || second_.has_names()) {}

  std::string_view header() const;
  /// Writes the pairs of a chunk, made into text on `threads` threads.
  void write(const NeighborChunk& chunk, int threads, const WriteText& write) const;

 private:
  const SequenceSet& set_;
  const SequenceSet& second_;
  bool named_;
};

inline constexpr std::string_view cluster_header = "centroid\tcount\tmembers\n";
void write_clusters(const SequenceSet& set, const Clusters& clusters, int threads,
                    const WriteText& write);

inline constexpr std::string_view correction_header = "sequence\tcorrected\tdistance\tcount\n";
/// A sequence whose reads `decided` tells apart has a line for each entry that some become, and one
/// for those that stay.
void write_corrections(const SetCorrections& corrections, const DecidedReads& decided, int threads,
                       const WriteText& write);

}  // namespace gsx

// What is said of the k-mers of a text.
#pragma once

#include <cstdint>

namespace gsx {

/// What is said of the k-mer at a position, or of the k-mers around it.
enum class KmerValue : std::uint8_t {
  mappability,  ///< 1 / frequency
  frequency,
  umap_single,  ///< 1 where a unique k-mer covers the position, else nothing
  umap_multi,   ///< the share of unique k-mers among the k that may cover it; nothing if there is
                ///< none
};

/// The k-mers of a text for one k. Those that are reverse complements of one another count as one,
/// if the text has two strands.
struct KmerCounts {
  std::uint64_t k = 0;
  std::uint64_t distinct = 0;  ///< different k-mers
  std::uint64_t unique = 0;    ///< those that occur once
  std::uint64_t total = 0;     ///< places of k-mers

  friend bool operator==(const KmerCounts&, const KmerCounts&) = default;
};

}  // namespace gsx

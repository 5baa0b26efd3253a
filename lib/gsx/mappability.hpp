// How unique the k-mers of a text or an index are, at each position of each record.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/mappability/kmer_values.hpp"
#include "base/buffer.hpp"
#include "base/export.hpp"
#include "gsx/index.hpp"
#include "gsx/suffix_array.hpp"

namespace gsx {

struct MappabilityOptions {
  int mismatches = 0;  ///< places of a k-mer may differ from it in so many symbols, 0 to 4
  std::uint64_t cap = ~std::uint64_t{0};  ///< larger frequencies count as this
  /// Whether the places of its reverse complement are places of a k-mer, too; only DNA has reverse
  /// complements.
  bool both_strands = true;
  SortOptions sort = {};
};

/// A value for each position of each record, by the k-mers that begin there, or with Umap's values,
/// cover it: NaN where there is none. Throws UsageError for KmerValue::frequency, a k that is not
/// above options.mismatches, or mismatches outside 0 to 4; ResourceError; DeviceError where a GPU
/// was demanded; CorruptIndexError if the index is damaged or has changed. Cost: sorting the
/// suffixes of both strands, as often as mismatches need; with them, a cap keeps repeats cheap.
/// Memory: 4 bytes per position beside that.
GSX_API std::vector<Buffer<float>> mappability(const Text& text, std::uint64_t k,
                                               KmerValue value = KmerValue::mappability,
                                               const MappabilityOptions& options = {});
GSX_API std::vector<Buffer<float>> mappability(const Index& index, std::uint64_t k,
                                               KmerValue value = KmerValue::mappability,
                                               const MappabilityOptions& options = {});

/// How many places the k-mer at each position of each record has; 0 where none begins. Throws as
/// mappability() does, and RuntimeError for a frequency of 2^32 - 1 or more. Cost: the same.
GSX_API std::vector<Buffer<std::uint32_t>> kmer_frequencies(const Text& text, std::uint64_t k,
                                                            const MappabilityOptions& options = {});
GSX_API std::vector<Buffer<std::uint32_t>> kmer_frequencies(const Index& index, std::uint64_t k,
                                                            const MappabilityOptions& options = {});

/// The least k for which the k-mer at each position of each record occurs nowhere else; 0 where the
/// stretch of plain symbols ends before that. Throws as mappability() does; UsageError for
/// mismatches. Cost: sorting the suffixes of both strands once.
GSX_API std::vector<Buffer<std::uint32_t>> shortest_unique(const Text& text,
                                                           const MappabilityOptions& options = {});
GSX_API std::vector<Buffer<std::uint32_t>> shortest_unique(const Index& index,
                                                           const MappabilityOptions& options = {});

/// The counts of the k-mers for each k from 1 on, until all are unique. Throws as shortest_unique()
/// does. Cost: the same, and 24 bytes per k.
GSX_API std::vector<KmerCounts> kmer_spectrum(const Text& text,
                                              const MappabilityOptions& options = {});
GSX_API std::vector<KmerCounts> kmer_spectrum(const Index& index,
                                              const MappabilityOptions& options = {});

}  // namespace gsx

// Short sequences, such as barcodes, UMIs, primers and adapters: those that differ in few symbols,
// and the longest one that others begin with.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/export.hpp"
#include "base/progress.hpp"
#include "search/exact/hits.hpp"
#include "search/sets/neighbor_values.hpp"
#include "search/sets/prefix_set.hpp"
#include "search/sets/sequence_set.hpp"

namespace gsx {

// A SequenceSet has the distinct ones of some sequences, in alphabetical order (A C G N T), each
// with its count; they are numbered from 0. It can only be moved. view<W>(), for its number of
// words, can be copied to where it is needed; its arrays are those of the set.

/// Returns the set of sequences of one length from 1 to 64, of the letters A C G T N in either
/// case; U is T. Each counts once, or as `counts` says, which is empty or has a number above 0 per
/// sequence. Throws UsageError, with the index of the sequence, for one that is no such, and if all
/// counts add up to 2^64 or more; ResourceError, also for more than 2^31 - 1 distinct ones. Cost: a
/// radix sort. Memory: 16 bytes per distinct sequence of up to 32 symbols without N (21 with N), 8
/// more for each further word, and as much again per sequence while it sorts.
GSX_API SequenceSet make_sequence_set(std::span<const std::string_view> sequences,
                                      std::span<const std::uint64_t> counts = {}, int threads = 0);

struct NeighborSearchOptions {
  unsigned distance = 1;  ///< neighbours differ in at most so many symbols: 1 or 2
  int threads = 0;        ///< 0: as many as this process may run
  /// Bytes that the search may take beside the sets. Pairs that do not fit are found some at a
  /// time.
  std::uint64_t extra_memory = unlimited;
  ProgressReport progress = {};
  /// As SearchOptions::device; auto takes a GPU for sets so large that it pays, some millions, if
  /// one can do the work. Of several GPUs, the first works.
  std::string device = "auto";
  std::uint64_t gpu_memory = unlimited;  ///< bytes of a GPU's memory to use
  /// corrections() to a whitelist: the least posterior with which one of several nearest entries
  /// is taken, from 0 to 1; rounded to millionths.
  double confidence = 0.975;
};

/// Takes the neighbours of sequences in order; the arrays are valid during the call.
using NeighborSink = std::function<void(const NeighborChunk& chunk)>;

/// Gives `sink` the neighbours of each sequence that follow it in the set, so that each pair comes
/// once. They depend on neither threads nor memory. Throws UsageError for an empty sink, and a
/// distance other than 1 and 2; ResourceError if memory is short or the limit is too little for
/// any; DeviceError; and what the sink throws. Cost: a few passes over sequences that are random,
/// and at most in the order of length times pairs. Source: the sorted lists of Kaczmarski and
/// Wolant, "GPU R-Trie" (Concurrency and Computation 31(19), 2019), taken further: keys that agree
/// in one of d + 1 parts of their symbols are grouped, and grouped again by what they have left.
GSX_API void find_neighbors(const SequenceSet& set, const NeighborSink& sink,
                            const NeighborSearchOptions& options = {});
/// Gives `sink` the neighbours of each sequence of `set` in `other`, which may be equal to it.
/// Throws what the search of one set throws, and UsageError for sets of different lengths. Memory:
/// where one set alone has N, a copy of the other one.
GSX_API void find_neighbors(const SequenceSet& set, const SequenceSet& other,
                            const NeighborSink& sink, const NeighborSearchOptions& options = {});

/// Two sequences by their numbers, and in how many symbols they differ.
struct NeighborPair {
  std::uint32_t first;
  std::uint32_t second;  ///< in the same set, or in the other one
  std::uint32_t distance;

  friend bool operator==(const NeighborPair&, const NeighborPair&) = default;
};

/// Returns all pairs of neighbours, sorted by first and second. Throws and costs as
/// find_neighbors(), and 12 bytes per pair.
GSX_API std::vector<NeighborPair> neighbor_pairs(const SequenceSet& set,
                                                 const NeighborSearchOptions& options = {});
GSX_API std::vector<NeighborPair> neighbor_pairs(const SequenceSet& set, const SequenceSet& other,
                                                 const NeighborSearchOptions& options = {});

/// Returns the clusters of a set by directional networks, as umi_tools makes them. From the most
/// frequent sequence that is in no cluster yet (the first one of several), a cluster goes along
/// each edge a -> b where a and b are neighbours and a explains() b, to all that are in none. They
/// come by falling count, then by centroid. Throws as find_neighbors(); also ResourceError if not
/// all pairs fit at once. Memory: 4 bytes per edge and 25 per sequence beside that.
GSX_API Clusters sequence_clusters(const SequenceSet& set,
                                   const NeighborSearchOptions& options = {});

/// Returns what each sequence of a set should be by the counts: its most frequent neighbour that
/// explains() it and is more frequent, then that one's, to the end; itself if there is none
/// (CorrectionKind::exact), or if several are equally frequent (ambiguous). Throws and costs as
/// find_neighbors(), and 8 bytes per sequence.
GSX_API std::vector<Correction> corrections(const SequenceSet& set,
                                            const NeighborSearchOptions& options = {});

/// Returns what each sequence of a set should be by a whitelist: an entry stays. Another one has
/// the only entry at the smallest distance; of several, that with the highest posterior, if it
/// comes in `set` and its posterior is at least `confidence`; otherwise it is ambiguous. The
/// posterior of an entry is its share of the counts that all of these have in `set`, as STARsolo
/// has it for equal qualities (1MM_multi). Counts of the whitelist do not matter. Throws as
/// find_neighbors() of two sets; UsageError for a confidence below 0 or above 1. Memory: a copy of
/// the whitelist beside that.
GSX_API std::vector<Correction> corrections(const SequenceSet& set, const SequenceSet& whitelist,
                                            const NeighborSearchOptions& options = {});

// PrefixSet is made of sequences of 1 to 1024 bases A C G T, in either case, where U is T. It can
// only be moved, and throws DuplicateSequence, with both indexes, for a sequence that comes twice.
// Its view() can be copied to where it is needed, to a kernel, too: its arrays are those of the
// set, or copies of them. view().longest_prefix() takes a query as leading_bases() packs it, and
// index_of() says which sequence of the set an entry is.
//
// The entries are in lexicographic order, each with the longest other one that is a prefix of it.
// They do the work of the radix tries of Kaczmarski and Wolant, "GPU R-Trie: Dictionary with ultra
// fast lookup" (Concurrency and Computation 31(19), 2019), "Longest prefix match".

/// Returns, for each sequence, the index of the longest sequence of the set that it begins with, or
/// PrefixSetView::none. A letter other than A C G T U, in either case, equals no base. `threads` is
/// 0 for as many as this process may run. Throws ResourceError. Cost: reading as many bases as the
/// longest sequence of the set has, and two or three cache lines per sequence.
GSX_API std::vector<std::uint32_t> longest_prefixes(const PrefixSet& set,
                                                    std::span<const std::string_view> sequences,
                                                    int threads = 0);

/// Writes the same to `found`. Throws UsageError unless it has an element per sequence.
GSX_API void longest_prefixes(const PrefixSet& set, std::span<const std::string_view> sequences,
                              std::span<std::uint32_t> found, int threads = 0);

}  // namespace gsx

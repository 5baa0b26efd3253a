// The longest sequence of a set that others begin with: barcodes, primers, adapters.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/export.hpp"
#include "search/sets/prefix_set.hpp"

namespace gsx {

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

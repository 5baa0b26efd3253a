// Searches an index that is in shards: counts add up, hits follow one another.
#pragma once

#include <memory>

#include "base/cpu_path.hpp"
#include "device/backend.hpp"
#include "index/store/index.hpp"
#include "search/exact/searcher.hpp"
#include "search/mismatches/mismatches.hpp"
#include "text/equal_letters.hpp"

namespace gsx {

/// A searcher of an index, or of all its shards. Of a pattern with more than max_hits hits in
/// shards, those of the first shards are kept, of the last of these some. Cost in shards: that of
/// searching each of them, and counting once more.
std::unique_ptr<Searcher> open_searcher(Backend& backend, const Index& index, int threads,
                                        const SearchMemory& memory);

/// A searcher of an index, or of all its shards, on the CPU, where letters are equal. Its patterns
/// are encoded by equal.applied_to(index.alphabet()). Pre: the text is not DNA.
std::unique_ptr<Searcher> open_equal_searcher(const Index& index, const EqualLetters& equal,
                                              const SearchMemory& memory, CpuPath path);

/// A searcher with mismatches of an index, or of all its shards; max_hits keeps the hits with the
/// fewest, as always.
std::unique_ptr<MismatchSearcher> open_mismatch_searcher(Backend& backend, const Index& index,
                                                         int threads, const SearchMemory& memory);

}  // namespace gsx

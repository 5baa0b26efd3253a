// Proving that an index is what it says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/progress.hpp"
#include "store/index.hpp"

namespace gsx {

/// Extracts every record and compares its MD5 with the stored one; where lower case was kept, only
/// letters may have been. Throws CorruptIndexError naming the first record that differs. Cost:
/// O(n).
void verify_records(const Index& index, int threads, const ProgressReport& progress);

/// Compares the records, in number, name, rest of the header, length and MD5, with those of
/// `reference`. Throws CorruptIndexError naming the first that differs. Pre: reference.checksummed.
/// Cost: O(records); with verify_records it proves that the index holds these sequences.
void verify_against(const Index& index, const Text& reference);

/// Checks that the text holds codes of its alphabet only, and code 0 where a segment ends, which
/// sorting it relies on. Throws CorruptIndexError. Cost: one pass over the text.
void verify_text(const Index& index, int threads);

/// Compares the counts of every level of the BWT with its digits, after which ranks are safe
/// whatever else is wrong. Throws CorruptIndexError naming level and position. Cost: one pass.
void verify_counts(const Index& index, int threads);

/// Checks the counts, then walks the BWT back through every segment and compares each symbol with
/// the text, each sampled row with the position, and each end with the segment table
/// (fm/bwt_walk.hpp). That proves the BWT, its rank structure and the samples.
/// Returns the most steps that locating any one row takes.
/// Throws CorruptIndexError naming the first fault of the first segment that has one.
/// Cost: n LF steps, parallel over segments.
std::uint64_t verify_bwt(const Index& index, int threads, const ProgressReport& progress);

/// Builds the k-mer table for one symbol less and compares every bound with the LF step that leads
/// to it. Trusts the BWT's ranks: verify_bwt comes first.
/// Throws CorruptIndexError naming the bound. Cost: as building the table, and a quarter of its
/// memory for DNA.
void verify_kmers(const Index& index, int threads, const ProgressReport& progress);

}  // namespace gsx

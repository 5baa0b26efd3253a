// Proves that an index is what it claims to be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/progress.hpp"
#include "index/store/index.hpp"

namespace gsx {

/// Extracts every record and compares its checksum with the stored one, and its MD5 if the index
/// stores that. If lower case is kept, only letters may be marked as lower case. Throws
/// CorruptIndexError that names the first record that differs. Cost: O(n), shared by the threads,
/// but for an MD5, which one thread computes.
void verify_records(const Index& index, int threads, const ProgressReport& progress);

/// Compares the records with those of `reference`: number, names, comments, lengths and checksums.
/// Throws CorruptIndexError that names the first that differs. Pre: reference.checksummed. Cost:
/// O(records). Together with verify_records(), it proves that the index holds these sequences.
void verify_against(const Index& index, const Text& reference);

/// Throws the CorruptIndexError that verify_against() throws; `how` says what differs.
[[noreturn]] void throw_other_sequences(const Index& index, const std::string& how);

/// Checks that the text holds only codes of its alphabet, and code 0 at the separators, as suffix
/// sorting requires. Throws CorruptIndexError. Cost: one pass over the text.
void verify_text(const Index& index, int threads);

/// Checks that only zeros follow the last number of each packed section: searches load them and
/// ignore them, so no other check looks there. Throws CorruptIndexError that names the section.
void verify_slack(const Index& index);

/// Compares the counts of every level of the BWT with its digits. After that, ranks are safe
/// whatever else is wrong. Throws CorruptIndexError that names level and position. Cost: one pass.
void verify_counts(const Index& index, int threads);

/// Checks the slack and the counts, then walks the BWT back through the whole text, from each
/// sampled row to the next. Compares each symbol with the text, each sample with the position, and
/// each end with the segment table (index/fm/bwt_walk.hpp). This proves the BWT, its rank structure
/// and the samples. Returns the most steps that locating any row takes. Throws CorruptIndexError,
/// as throw_first_fault() does. Cost: n LF steps, which the threads share.
std::uint64_t verify_bwt(const Index& index, int threads, const ProgressReport& progress);

/// Walks each segment from its end. Throws CorruptIndexError that names the first fault of the
/// first faulty segment; returns if there is none. Pre: the counts are right. Cost: n LF steps at
/// most; the threads share segments.
void throw_first_fault(const Index& index, int threads, const ProgressReport& progress);

/// Builds the k-mer table for k - 1 and compares every bound with the LF step that leads to it.
/// Relies on the ranks of the BWT, so call verify_bwt() first. Throws CorruptIndexError that names
/// the bound. Cost: that of building the table, and for DNA a quarter of its memory.
void verify_kmers(const Index& index, int threads, const ProgressReport& progress);

}  // namespace gsx

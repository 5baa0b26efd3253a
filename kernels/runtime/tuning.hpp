// Every number that was chosen by measurement, in one place.
#pragma once

#include <cstdint>

namespace gsx::cuda::tuning {

/// Threads a block for kernels of one thread an element.
inline constexpr unsigned block_threads = 256;

/// Text positions a block scans when it collects the suffixes of a batch.
inline constexpr unsigned tile_positions = 4096;

/// Leading bits of suffixes by which they are divided into batches.
inline constexpr unsigned prefix_bits = 12;

/// Most batches; each costs one scan of the text.
inline constexpr unsigned max_batches = 255;

/// Suffixes that are sorted at once when memory allows: enough to fill the device, few enough that
/// the sort's buffers stay a fraction of a genome; and in how many batches a smaller text is sorted
/// all the same, because one batch's result leaves the device while the next is sorted.
inline constexpr std::uint64_t largest_batch = std::uint64_t{1} << 29;
inline constexpr std::uint64_t smallest_batch = std::uint64_t{1} << 22;
inline constexpr std::uint64_t overlapped_batch = std::uint64_t{1} << 26;
inline constexpr std::uint64_t overlapped_batches = 4;

/// Largest group of tied suffixes that is sorted in shared memory, by counting.
inline constexpr unsigned group_limit = 256;

/// Largest group whose suffixes are compared with one another in the text, and how many keys (29
/// bases each) such a comparison may fetch: few while many suffixes are tied, because a warp waits
/// for its longest comparison, then this many times more at each comparison that follows.
inline constexpr unsigned deep_group_limit = 32;
inline constexpr unsigned first_deep_keys = 4;
inline constexpr unsigned deep_keys_growth = 16;
inline constexpr unsigned max_deep_keys = 4096;

/// Rounds of fetching text before the first comparison of whole groups, and between comparisons.
inline constexpr unsigned first_rounds = 3;
inline constexpr unsigned rounds_between = 8;

/// What a round costs beside its suffixes, in suffixes; and how often a suffix that is sorted once
/// more could have been ranked instead. Rounds go on until they have cost what ranking samples of
/// the whole text would; without memory for that, `patience` times as much.
inline constexpr std::uint64_t round_overhead = std::uint64_t{2} << 20;
inline constexpr std::uint64_t round_weight = 3;
inline constexpr std::uint64_t patience = 64;

/// Pieces that cross the bus at a time, and how many: enough in flight to keep it busy while other
/// lanes copy within the host.
inline constexpr std::uint64_t transfer_bytes = std::uint64_t{4} << 20;
inline constexpr int transfer_lanes = 12;

/// Thread blocks a multiprocessor for walks of dependent reads: all that it holds at a time.
inline constexpr unsigned walk_blocks = 8;

/// Longest k of a k-mer table that is made for the device, and how many k-mers there may be for a
/// row: a longer table saves a step a symbol, and takes memory and time to build. About where a
/// k-mer occurs once, little more is to be saved.
inline constexpr std::uint32_t longest_kmer = 16;
inline constexpr std::uint64_t kmers_a_row = 2;

/// Steps of backward search after the k-mer table that all patterns take together.
inline constexpr std::uint32_t first_steps = 1;

/// Other places in a pattern from which its search is begun when the first has many rows, and the
/// least distance between them that makes it worth while.
inline constexpr std::uint32_t other_seeds = 8;
inline constexpr std::uint32_t least_stride = 4;

/// Candidates that are compared with the text at once, and most that are when more steps leave
/// their number as it is (at most 32, the bits of a mask).
inline constexpr std::uint32_t few_candidates = 4;
inline constexpr std::uint32_t most_candidates = 16;

/// Hits of a pattern that one thread gathers and sorts.
inline constexpr std::uint32_t few_hits = 16;

/// Patterns, their codes, and hits that are searched, packed and gathered at a time.
inline constexpr std::uint64_t patterns_at_once = std::uint64_t{1} << 23;
inline constexpr std::uint64_t codes_at_once = std::uint64_t{1} << 28;
inline constexpr std::uint64_t hits_at_once = std::uint64_t{1} << 25;

}  // namespace gsx::cuda::tuning

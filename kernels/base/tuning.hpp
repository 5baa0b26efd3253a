// Every number that measurement chooses, in one place. Those that say so have not been measured
// yet.
#pragma once

#include <chrono>
#include <cstdint>

namespace gsx::cuda::tuning {

/// Threads per block in kernels with one thread per element.
inline constexpr unsigned block_threads = 256;

/// Text positions that one block scans when it collects the suffixes of a batch.
inline constexpr unsigned tile_positions = 4096;

/// Thread blocks of a scan in which each counts in a table of its own.
inline constexpr unsigned scanning_blocks = 132 * 8;

/// Leading bits by which suffixes are divided into batches.
inline constexpr unsigned prefix_bits = 12;

/// Symbols from which suffixes of larger alphabets than DNA are keyed by words of a code, if its
/// words have at most this share of a symbol's bits (protein has 0.86, English 0.5); and about how
/// many positions of the text tell how often symbols follow one another.
inline constexpr double short_words = 0.75;
inline constexpr std::uint64_t coded_from = std::uint64_t{1} << 24;
inline constexpr std::uint64_t sampled_pairs = std::uint64_t{1} << 20;

/// Bits of a digit of the radix sort, and how many bits the first keys have beyond those that would
/// number all suffixes, where they are not as many as fit.
inline constexpr unsigned digit_bits = 8;
inline constexpr double spare_key_bits = 4;

/// Most batches; each costs one scan of the text.
inline constexpr unsigned max_batches = 255;

/// Most and fewest suffixes that are sorted at once: enough to fill the device, and few enough that
/// the sort's buffers stay small beside a genome. A smaller text is sorted in several batches too,
/// because the result of one leaves the device while the next is sorted: in overlapped_batches of
/// them, of at least overlapped_batch suffixes.
inline constexpr std::uint64_t largest_batch = std::uint64_t{1} << 29;
inline constexpr std::uint64_t smallest_batch = std::uint64_t{1} << 22;
inline constexpr std::uint64_t overlapped_batch = std::uint64_t{1} << 25;
inline constexpr std::uint64_t overlapped_batches = 3;

/// Most suffixes of batches of which two are sorted at the same time. A larger one keeps the device
/// busy alone, and two would take memory that the next text may need.
inline constexpr std::uint64_t paired_batch = std::uint64_t{1} << 26;

/// Largest groups of tied suffixes that a block and a warp sort in shared memory, by counting, and
/// threads of such a block.
inline constexpr unsigned group_limit = 256;
inline constexpr unsigned warp_group_limit = 32;
inline constexpr unsigned resolve_threads = 512;
/// Threads of a block that sorts groups by counting in one pass: as many as it can have, since a
/// slot is compared with all of its group, and a block with few would keep a small grid waiting.
inline constexpr unsigned counting_threads = 1024;

/// How elements are chosen: rounds in which a warp looks at 32 elements each, where there are many,
/// and where there are few, so that more warps look at fewer, as each round waits for memory; how
/// many are few; and most tiles whose counts one block adds up.
inline constexpr unsigned chosen_rounds = 16;
inline constexpr unsigned few_chosen_rounds = 2;
inline constexpr std::uint64_t few_to_choose_from = std::uint64_t{1} << 20;
inline constexpr std::uint64_t tiles_of_one_block = 4096;

/// Keys of text (of 29 bases) by which tied suffixes are compared in one launch: first among all
/// suffixes of a batch, then among those that are left. A warp or block waits for its longest
/// comparison, so the first ones fetch few, and each launch twice as many as the one before, up to
/// most_step_rounds: what has been told apart fetches nothing.
inline constexpr unsigned first_rounds = 2;
inline constexpr unsigned next_rounds = 8;
inline constexpr unsigned most_step_rounds = 64;
/// Where suffixes are then compared two by two, by 32 keys at a time: how often a warp does so
/// before another one has the next stretch of the pair, and warps of a grid that compares few
/// pairs.
inline constexpr unsigned compared_stretch = 8;
inline constexpr std::uint64_t comparing_warps = std::uint64_t{1} << 16;

/// A text repeats as a whole if more than one in so many suffixes of a batch stay tied.
inline constexpr std::uint64_t repeating_share = 4;

/// Pairs of tied suffixes that tell how far groups agree, and rounds of 32 keys in which each is
/// compared at most; seconds that a round of a suffix takes when small groups are compared, that a
/// key takes where groups are larger, of each suffix and at least, and where they are sorted by
/// radix; and seconds that ranking takes at least, per symbol of a batch, or of the text where its
/// samples are to be sorted, and per tied row.
inline constexpr std::uint64_t probes = 1024;
inline constexpr unsigned probed_rounds = 256;
inline constexpr double compared_round = 3.5e-10;
inline constexpr double resolved_key = 3e-10, least_resolved_key = 8e-6;
inline constexpr double sorted_key = 1e-9, least_sorted_key = 4e-4;
inline constexpr double least_ranking = 5e-4;
inline constexpr double ranked_symbol = 1.5e-11;
inline constexpr double ranked_sample_symbol = 6.3e-11;
inline constexpr double ranked_row = 2e-9;

/// Sizes and number of the pieces that cross the bus at a time: enough to keep it busy while other
/// lanes copy within the host.
inline constexpr std::uint64_t least_transfer_bytes = std::uint64_t{1} << 18;
inline constexpr std::uint64_t transfer_bytes = std::uint64_t{4} << 20;
inline constexpr int transfer_lanes = 12;

/// Symbols of queries from which it pays to compute the whole suffix array and a table of longer
/// k-mers, which takes 0.17 s per Gbp of the text; and rows of an index for which that is done at
/// once, as it takes a millisecond.
inline constexpr std::uint64_t extras_from = std::uint64_t{1} << 24;
inline constexpr std::uint64_t rows_with_extras = std::uint64_t{1} << 22;

/// Least pinned memory of a thread that searches, and most device memory that it keeps between
/// batches. A batch of the pipeline takes a fraction of either.
inline constexpr std::uint64_t least_pinned_bytes = std::uint64_t{1} << 19;
inline constexpr std::uint64_t kept_lane_bytes = std::uint64_t{1} << 26;

/// Threads of a pipeline per core that it may use, where they sleep while the GPU searches: for
/// mismatches and maximal matches.
inline constexpr int threads_per_core = 2;

/// How long a thread that waits for a search stays awake first. Counting a batch of 7,000 reads
/// takes about 0.7 ms while 16 threads do so.
inline constexpr std::chrono::microseconds awake{1000};

/// Warps of a thread block that packs or unpacks integers: few, as blocks of 64-bit values take 8
/// KB of shared memory each; and rows of 32 values that a warp loads before it packs the first. Not
/// measured yet.
inline constexpr unsigned packing_warps = 4;
inline constexpr unsigned packing_rows_ahead = 8;

/// Thread blocks per multiprocessor in walks of dependent reads: all that it holds at a time.
inline constexpr unsigned walk_blocks = 8;

/// Longest k of a k-mer table that is made for the device, and most k-mers per row. Each symbol
/// more saves a step, and takes memory and time to build; where most k-mers occur once, little is
/// left to save.
inline constexpr std::uint32_t longest_kmer = 16;
inline constexpr std::uint64_t kmers_per_row = 2;

/// Values of a tile in which a block looks for nearest smaller values, a power of two; and how many
/// of them, not resolved there, warps look for in the whole array, one after another. More are
/// looked for by a thread each.
inline constexpr unsigned smaller_tile = 2048;
inline constexpr std::uint32_t smaller_by_warps = 128;

/// Symbols of neighbouring rows that a thread compares before warps go on with what agrees, for the
/// LCP array. Not yet measured.
inline constexpr unsigned thread_compared = 256;

/// Longest k-mers that are counted by comparing neighbouring rows, in a thread each.
inline constexpr std::uint64_t most_compared = 1024;

/// K-mers with mismatches: threads per block that look at pairs of rows, partners of a row that a
/// job has, and after how many pairs per position those that have reached the cap are closed, which
/// should cost a tenth of looking at the pairs. Not measured yet.
inline constexpr unsigned near_pair_threads = 128;
inline constexpr std::uint64_t near_partners = 1024;
inline constexpr std::uint64_t near_pairs_per_position = 8;

/// Batches of rank and select leave the second cache to what is small where rank blocks are more
/// than so many times as large as it.
inline constexpr std::uint64_t reused_caches = 4;

/// Steps of backward search after the k-mer table that all patterns take together.
inline constexpr std::uint32_t first_steps = 1;

/// How many other places of a pattern a search may begin from when the first has many rows, and the
/// least distance between them that pays.
inline constexpr std::uint32_t other_seeds = 8;
inline constexpr std::uint32_t least_stride = 4;

/// Up to few_candidates are compared with the text at once; up to most_candidates (at most 32, the
/// bits of a mask) when another step has hardly made them fewer.
inline constexpr std::uint32_t few_candidates = 4;
inline constexpr std::uint32_t most_candidates = 16;

/// Most hits of a pattern that one thread gathers and sorts, and that each thread of a block does
/// when the block sorts them together.
inline constexpr std::uint32_t few_hits = 16;
inline constexpr unsigned sorted_hits = 8;

/// Most rows of a piece of a pattern whose places one thread compares; a block compares more.
inline constexpr std::uint32_t few_places = 8;

/// Threads that make the words of a pattern's strands, ten of them for a read of 150 bases. Other
/// numbers have not been tried.
inline constexpr std::uint32_t seed_pattern_threads = 16;

/// Walks for maximal matches: thread blocks per multiprocessor, and jobs per thread where there are
/// enough of them: with few jobs, a warp seldom has several threads that do alike work; with many,
/// a batch of a pipeline takes longer. Reads of 150 bases in 3.1 Gbp, 24 million: 1 and 2 jobs
/// 2.30 s, 4 jobs 2.34, 8 jobs 2.56.
inline constexpr unsigned match_walk_blocks = 8;
inline constexpr std::uint64_t matched_jobs_per_thread = 2;
/// The same for walks that only find whether there is a match, whose state is smaller. Where both
/// strands of a query have their turn at different times, the second one often need not be
/// searched.
inline constexpr unsigned detect_walk_blocks = 8;
inline constexpr std::uint64_t detect_jobs_per_thread = 2;

/// How queries are cut for maximal matches: most symbols of queries that are searched together; of
/// a longer one, symbols that are searched at a time; least symbols of a piece, and most pieces of
/// a stretch.
inline constexpr std::uint64_t matched_group = std::uint64_t{1} << 24;
inline constexpr std::uint64_t matched_alone = std::uint64_t{1} << 26;
inline constexpr std::uint64_t matched_piece = 512;
inline constexpr std::uint64_t matched_pieces = std::uint64_t{1} << 16;

/// Pairs of matches: most places of queries in a call, and most that are searched together.
inline constexpr std::uint64_t pair_places = std::uint64_t{1} << 18;
inline constexpr std::uint64_t most_pair_places = std::uint64_t{1} << 22;
/// Most pairs and deferred candidates on the device at a time, and candidates that a kernel
/// extends, so that it takes less than a second; symbols that each lane of a warp compares of a
/// long pair. Not measured yet.
inline constexpr std::uint32_t pairs_at_once = std::uint32_t{1} << 20;
inline constexpr std::uint32_t open_pairs = std::uint32_t{1} << 14;
inline constexpr std::uint64_t pair_candidates = std::uint64_t{1} << 30;
inline constexpr std::uint64_t compared_by_lane = 128;

/// Inverting a BWT: rows that one thread block of the table's maker takes; bits of the windows of
/// which each has a splitter, at least and at most, and pieces that each thread walks where there
/// are enough rows; pieces and pages that a thread takes at a time; pieces whose lengths a thread
/// adds up. Not measured yet.
inline constexpr unsigned lf_tile_rows = 4096;
inline constexpr std::uint32_t least_window_bits = 4;
inline constexpr std::uint32_t most_window_bits = 7;
inline constexpr std::uint64_t walked_pieces_per_thread = 8;
inline constexpr unsigned pieces_taken = 4;
inline constexpr unsigned pages_taken = 8;
inline constexpr std::uint32_t ranked_list_pieces = 64;

/// Search by keys: threads of a block, so many that reading a sieve costs little beside using it,
/// and blocks per multiprocessor. Other numbers have not been tried.
inline constexpr unsigned key_threads = 512;
inline constexpr unsigned key_blocks = 2;

/// Most patterns, codes and hits on the device at a time.
inline constexpr std::uint64_t patterns_at_once = std::uint64_t{1} << 23;
inline constexpr std::uint64_t codes_at_once = std::uint64_t{1} << 28;
inline constexpr std::uint64_t hits_at_once = std::uint64_t{1} << 25;

}  // namespace gsx::cuda::tuning

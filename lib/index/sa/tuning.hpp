// Every tuned number of the suffix array builders, with the reason for it.
//
// Curves are user time on one thread, the best of three runs, measured in November 2026 on an AMD
// EPYC (per core 48 KiB and 1 MiB of cache) that other programs shared; differences below 5 % mean
// nothing. One number was changed at a time. The texts: human chr21, the documentation of Vim as
// English, 14 haplotypes of LPA, 418 genomes of SARS-CoV-2, and 4 M symbols with a period of 10.
// Where no curve is given, version 0.1 chose the number by trial and did not keep the curve.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gsx::sa_tuning {

// --- Work for threads ---

/// Slices of an array per thread: small enough to balance the threads, large enough that taking a
/// slice costs nothing.
inline constexpr std::uint64_t slices_per_thread = 64;
/// Slices per thread when a range is split: each slice has counters for all classes.
inline constexpr std::uint64_t split_slices_per_thread = 4;
/// Slices per thread when B* suffixes are copied to their rows.
inline constexpr std::uint64_t placing_slices_per_thread = 16;
/// All threads together sort a range of more rows. Splitting it takes about a millisecond, much
/// more than starting the threads.
inline constexpr std::uint64_t wide_range = std::uint64_t{1} << 17;
/// Splitters of a wide range; class numbers of both kinds must fit a byte. More samples per
/// splitter make the parts more equal.
inline constexpr std::size_t splitters = 127;
inline constexpr std::size_t samples_per_splitter = 8;
/// A wide range is split by moving only some of its suffixes if all splitters are equal and fewer
/// than one in this many suffixes of each slice has another key.
inline constexpr std::uint64_t few_other_keys = 64;

// --- Sorting in the cache of a core ---

/// Prefix buckets aim at 2^bucket_size_bits suffixes, which fit the cache. More than
/// 2^most_bucket_bits buckets would make the scattered writes into them miss it.
/// 10 / 12 / 14 bits: English 301 / 300 / 291 ms; at most 14 / 16 / 18: chr21 538 / 542 / 550 ms.
inline constexpr int bucket_size_bits = 12;
inline constexpr int most_bucket_bits = 16;
/// Records of a RecordSorter. Both copies take 1 MiB, the second-level cache of the core.
inline constexpr std::uint64_t record_limit = std::uint64_t{1} << 15;
/// Records that small groups fill before they are sorted together. More records would leave too
/// little of the cache to the text from which keys are read.
/// 2^10 / 2^12 / 2^14: English 303 / 287 / 296 ms, LPA 150 / 135 / 138 ms.
inline constexpr std::uint64_t batch_records = std::uint64_t{1} << 12;
/// Bins of one radix pass: at most 2^most_bin_bits, whose counters take 16 KiB. The first pass over
/// the suffixes of a bucket takes up to 2^spare_bin_bits bins per suffix, so that few share a bin.
/// Spare bits 0 / 1 / 2: chr21 311 / 298 / 294 ms, random protein of 10 M letters 176 / 177 / 167
/// ms.
inline constexpr int most_bin_bits = 12;
inline constexpr int spare_bin_bits = 2;
/// More records than these take a radix pass, fewer an insertion sort.
/// 10 / 20 / 40: chr21 531 / 541 / 532 ms, English 276 / 282 / 292 ms.
inline constexpr std::uint64_t insertion_limit = 20;
/// Keys that are prefetched ahead of their use: about what a core has outstanding loads for.
inline constexpr std::uint64_t keys_ahead = 16;
/// Sampled keys whose median divides a range that is too large for a RecordSorter.
inline constexpr std::size_t pivot_samples = 127;

// --- What to do with ties ---

/// Keys per symbol of the text that tied suffixes may fetch before ranks are computed for them.
/// Ranking the syncmers of a text costs about as much. 0.1 / 0.4 / 1.6: English 323 / 298 / 288 ms,
/// LPA 132 / 141 / 180 ms, SARS-CoV-2 446 / 432 / 613 ms.
inline constexpr double keys_per_symbol = 0.4;
/// Fewer keys per suffix are not worth another pass over the tie bits.
/// 1 / 4 / 16: English 299 / 284 / 281 ms.
inline constexpr std::uint64_t least_keys = 4;
/// Rounds in a row that may separate less than a tenth of the ties before ranks take over.
inline constexpr int most_slow_rounds = 2;
/// With more than one tied suffix per `syncmers_first` symbols, syncmers are ranked at once: such a
/// text has long repeats, in which ranks of B* suffixes would take many rounds.
/// 1 / 2 / 4 / 16: LPA 169 / 162 / 135 / 141 ms, SARS-CoV-2 506 / 486 / 453 / 481 ms.
inline constexpr std::uint64_t syncmers_first = 4;
/// With fewer than one tied suffix per `syncmers_never` symbols, syncmers are never ranked: there
/// would be more syncmers than tied suffixes.
inline constexpr std::uint64_t syncmers_never = 64;
/// A text counts as periodic if more than one in this many tied suffixes belongs to the largest
/// group. 1 / 16 / 256: period of 10 40 / 35 / 43 ms.
inline constexpr std::uint64_t few_groups = 16;
/// Syncmers may be ranked if more than one in this many suffixes is B*. At most 2 in 17 positions
/// are syncmers where words do not repeat, but every position of a run may be one.
inline constexpr std::uint64_t least_bstar_share = 5;
/// The smallest group that TandemSorter looks at, and the suffixes that it samples to see whether
/// the group meets itself. Smallest group 64 / 1024 / none: period of 10 46 / 39 / 103 ms.
inline constexpr std::uint64_t least_tandem_group = 1024;
inline constexpr std::uint64_t tandem_samples = 64;

// --- Syncmers ---

/// Bits of a mer: enough that equal mers within one window are rare.
inline constexpr std::uint32_t mer_bits = 24;
/// Positions of a window, a power of two. A wider window has fewer syncmers but needs a greater
/// depth, mer + 2 * window symbols, before they can be used.
/// DNA, 16 / 32 / 64: LPA 164 / 123 / 148 ms, chr21 529 / 542 / 525 ms.
inline constexpr std::uint32_t window_of_dna = 32;
inline constexpr std::uint32_t window_of_others = 16;

// --- Phrases ---

/// Bits of a hash that are 0 for a sampled B* suffix.
inline constexpr int sample_bits = 10;
/// A smaller sample is not trusted; such a text is short.
inline constexpr std::uint64_t least_sample = 64;
/// Phrases are tried if more than this share of the sample agrees with an earlier suffix.
inline constexpr double least_repeated_share = 0.4;
/// Positions of a window whose syncmers begin phrases.
constexpr std::uint32_t phrase_window(std::uint32_t symbol_bits) {
  return symbol_bits <= 2 ? 64 : 32;
}
/// Phrases pay if the first copies of all phrases are at most this share of the text.
inline constexpr double most_dictionary_share = 0.6;
/// More phrases per position do not pay; and the places at which their number is estimated.
inline constexpr double most_phrase_density = 0.15;
inline constexpr std::uint64_t density_samples = 64;
inline constexpr std::uint64_t density_sample_size = 2048;
/// Fewer phrases are sorted by prefix doubling, and otherwise by phrases of the sequence of their
/// names, whose syncmers have a window of their own.
inline constexpr std::uint64_t least_names = std::uint64_t{1} << 12;
inline constexpr std::uint32_t window_of_names = 8;
inline constexpr double most_name_density = 0.5;
/// Suffixes whose places are looked up together.
inline constexpr std::uint64_t places_at_once = 64;
/// All threads together write the suffixes of a class of more.
inline constexpr std::uint64_t large_class = std::uint64_t{1} << 16;

// --- Induced sorting ---

/// Rows whose text is prefetched ahead of its use.
inline constexpr std::uint64_t contexts_ahead = 48;
/// Rows of a chunk in loops that work on vectors: twice as many are prefetched at most, as they ask
/// for the text of a chunk while they work on the one before it. 256 / 512 / 1024: chr21 311 / 304
/// / 304 ms.
inline constexpr std::uint64_t vector_chunk_rows = 512;
/// Fewer rows are passed one by one. 16 / 64: chr21 312 / 304 ms.
inline constexpr std::uint64_t least_vector_rows = 64;
/// Fewer rows are passed by one thread: starting the others would cost more than they save.
inline constexpr std::uint64_t parallel_induction_rows = std::uint64_t{1} << 16;
/// Fewer rows are passed by one thread where left contexts are wide: alphabets that large have many
/// small ranges.
inline constexpr std::uint64_t parallel_wide_rows = std::uint64_t{1} << 14;
/// Rows that a thread passes at a time at most. Their entries and left contexts stay in its cache.
inline constexpr std::uint64_t induction_block_rows = std::uint64_t{1} << 15;
/// A smaller range has this many blocks per thread, of at least so many rows.
inline constexpr std::uint64_t blocks_per_thread = 4;
inline constexpr std::uint64_t least_induction_block = std::uint64_t{1} << 11;

// --- Blocks ---

/// Sampled suffixes per part when a bucket that is larger than a block is divided.
inline constexpr std::uint64_t samples_per_part = 64;
/// Blocks into which a text should be cut at most, as each costs a pass over the text; and the size
/// below which a smaller block saves no memory worth having.
inline constexpr std::uint64_t most_blocks = 64;
inline constexpr std::uint64_t least_rows_of_block = std::uint64_t{1} << 16;

}  // namespace gsx::sa_tuning

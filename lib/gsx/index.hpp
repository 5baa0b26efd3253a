// Texts of sequences, and their indexes: built in memory, saved, and opened again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/export.hpp"
#include "base/progress.hpp"
#include "index/store/index.hpp"
#include "search/exact/hits.hpp"
#include "text/read_text.hpp"

namespace gsx {

/// A sequence in the caller's memory.
struct Sequence {
  std::string_view name;          ///< without blanks, unless options.whole_header is given
  std::string_view symbols;       ///< no blanks or line ends
  std::string_view comment = {};  ///< the rest of its header
};

/// The text of sequences in memory, in order. Unless options.text.alphabet is given, it is DNA or
/// protein, judged by the first sequences. Throws InputError for a symbol outside the alphabet
/// or that no FASTA line can hold, for a name that could not stand in a FASTA header, and when no
/// symbol can be indexed; UsageError for an alphabet that does not exist; ResourceError. Cost: one
/// pass; memory for the text, and for options.block_bytes symbols meanwhile.
GSX_API Text make_text(std::span<const Sequence> sequences, const ReadTextOptions& options = {});

/// How an index is built. Its bytes depend on sample_rate, kmer_length and md5 only.
struct IndexOptions {
  std::string device = "auto";    ///< as SearchOptions::device of gsx/search.hpp
  int threads = 0;                ///< 0: as many as this process may run
  std::uint32_t sample_rate = 8;  ///< one in so many rows of the suffix array is kept
  /// Of the table where searches start; by default chosen by the length of the text. At most 12,
  /// and so that there are at most 2^24 such k-mers: 12 for DNA, 5 for proteins of 20 letters.
  std::optional<std::uint32_t> kmer_length = {};
  bool md5 = false;  ///< store the MD5 of each record, as SAM's M5; Index::md5s() gives them
  /// Bytes of host memory that the process may take; with less than is fast, suffixes are sorted in
  /// blocks, and with fewer threads.
  /// Kept within about 10 %; LIBRARY.md says how little is enough.
  std::uint64_t memory_limit = unlimited;
  std::uint64_t gpu_memory = unlimited;  ///< bytes of a GPU's memory to use
  ProgressReport progress = {};  ///< may be empty; what it throws ends the work and comes out here
};

/// The index of a text, in memory; no file is read or written. Index::save writes what `gsx index`
/// writes, byte for byte, and Index::open reads it back.
/// Throws UsageError for a sample_rate of 0 or above 2^20 or a kmer_length that is too long, before
/// it begins; ResourceError when the memory is short, and DeviceError where a GPU was demanded.
/// Cost: that of the suffix array, and of the checksum of each record, which other threads compute
/// meanwhile, as they do MD5s: 1.4 ns per symbol, by one thread per record.
GSX_API Index build_index(Text text, const IndexOptions& options = {});

/// Opens an index file, or the manifest of an index in shards, as
/// Index::open() and Index::open_shards() do. Index::parts() tells which it was. Of shards,
/// count(), locate(), BatchSearcher and what searches with mismatches give what one index of all
/// records gives, but for max_hits in exact search, which keeps hits of the first shards; Cursor
/// and what finds maximal matches need one index. Batches are searched shard by shard. For one
/// pattern, a searcher of each shard is made; for one with mismatches, guides, primers and
/// mappability, the text of all shards is put together in memory, once. Throws what these two
/// throw.
GSX_API Index open_index(const std::string& path, Load load = Load::map, int threads = 0);

/// One index of all records of an index in shards, in memory, as building it at once gives it. The
/// sample rate, and whether there are MD5s, are those of the shards. Throws UsageError for an index
/// that is not in shards, CorruptIndexError, and what build_index() throws. Cost: that of
/// build_index(), after one pass over the shards.
GSX_API Index join_shards(const Index& shards, const IndexOptions& options = {});

/// Symbols [begin, end) of a record, as they were read: upper case for DNA and protein, ambiguous
/// symbols included. `end` may lie behind the record's. Throws UsageError for a record that does
/// not exist or a begin behind the end. Cost: O(end - begin).
GSX_API std::string extract(const Index& index, std::uint64_t record, std::uint64_t begin = 0,
                            std::uint64_t end = unlimited);

}  // namespace gsx

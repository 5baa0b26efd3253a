// Divides the memory of a run of queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "index/store/index.hpp"
#include "records/sequence_reader.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

/// What a run of queries asks for.
struct QueryMemoryRequest {
  std::uint64_t limit =
      unlimited;  ///< bytes that may be allocated; pages of a mapped file do not count
  std::string limited_by = "the limit";  ///< what set the limit, for error messages
  int threads = 1;
  std::uint64_t batch_bytes = std::uint64_t{2} << 20;
  std::uint64_t table_bytes = 0;  ///< bytes of tables of the open index
  bool sorts = false;             ///< whether results are sorted by position
};

/// What the run gets.
struct QueryMemory {
  int threads = 1;
  std::uint64_t batch_bytes = 0;
  bool ample = true;                       ///< whether a reserve holds two more batches
  bool overlaps = true;                    ///< whether it holds a third one as well
  std::size_t piece_bytes = 0;             ///< bytes of text that a thread holds
  std::uint64_t sort_bytes = 0;            ///< bytes for sorting, in all
  std::uint64_t query_bytes = 0;           ///< bytes of the longest query that fits
  std::uint64_t unpack_bytes = 0;          ///< bytes that decompressing the input may take
  std::uint64_t record_bytes = unlimited;  ///< the same of a line of SAM or BAM, before it is text
  SearchMemory search;
};

/// Takes fewer threads, smaller batches and fewer hits at a time until everything fits the limit.
/// Without a limit, takes what is fast: some 10 MB per thread, 128 MB for hits and 64 MB for
/// sorting. Throws ResourceError that gives the least limit.
QueryMemory plan_query_memory(const QueryMemoryRequest& request);

/// Bytes of memory that an open index holds: the segment table, the whole index unless it is
/// mapped, and of shards the tables of records, which are put together.
std::uint64_t memory_of_index(const Index& index);
/// Bytes of memory that Index::text() takes: none unless it puts the text of shards together.
std::uint64_t joined_text_bytes(const Index& index);

/// How `threads` threads read queries in that memory, of files that may be empty or lists, and of
/// BGZF that may lack its last block.
ReaderOptions reader_options(const QueryMemory& memory, int threads, const CramReferences& cram);

/// Bytes of queries that may be read ahead while the search is being set up, if there is no limit:
/// what inflates in the quarter of a second that a GPU takes to start.
std::uint64_t usual_read_ahead(int threads);

}  // namespace gsx

// Maximal matches of the pieces of a batch of queries, on the device.
#pragma once

#include <cstdint>

#include "kernels/base/memory_pool.hpp"
#include "kernels/search/exact/search_index.hpp"
#include "search/matches/query_pieces.hpp"
#include "search/matches/strand_union.hpp"

namespace gsx::cuda {

/// Queries in device memory, cut into pieces.
template <class Offset>
struct PiecesView {
  PackedView symbols;
  const QueryPiece<Offset>* pieces;  ///< [count]
  std::uint32_t count;
  bool forward, reverse;  ///< which strands are searched
  std::uint64_t min_length;

  std::uint32_t jobs() const { return (forward ? count : 0) + (reverse ? count : 0); }
};

/// What the kernels of a search share, in device memory.
template <class Offset, class Pos>
struct MatchArrays {
  FoundMatch<Offset, Pos>* found;    ///< [room]
  ListedMatch<Offset, Pos>* listed;  ///< [room]
  std::uint32_t* begins;             ///< [jobs + 1], the last one initialised
  std::uint32_t* kept;               ///< [room + 1]
  std::uint8_t* workspace;           ///< [match_workspace_bytes(jobs, room)]
  std::uint64_t workspace_bytes;
  std::uint32_t room;
  std::uint32_t* count;  ///< matches of all strands, also those without room; zero at first
  std::uint32_t* taken;  ///< jobs that threads have taken; zero at first
};

/// Bytes of workspace for so many jobs and matches.
std::uint64_t match_workspace_bytes(std::uint64_t jobs, std::uint64_t room);

/// Finds the matches of all pieces on their strands, each with a walk of one thread, and leaves in
/// `arrays` how many there are. Sets *d_fault when the index leads outside itself. Asynchronous.
/// Throws DeviceError.
template <class Offset, class Pos>
void find_matches_async(const SearchView<Pos>& index, const PiecesView<Offset>& pieces,
                        const MatchArrays<Offset, Pos>& arrays, std::uint32_t* d_fault,
                        cudaStream_t stream);

/// Makes the maximal matches of the queries of those that were found: d_matches, [arrays.room], and
/// d_ends[q], the end of those of query q, from d_piece_ends[q], the end of its pieces. If there is
/// no room for all that were found, what is there is unspecified. Asynchronous. Throws DeviceError.
template <class Offset, class Pos>
void unite_strands_async(const PiecesView<Offset>& pieces, const MatchArrays<Offset, Pos>& arrays,
                         const std::uint32_t* d_piece_ends, std::uint64_t queries,
                         MaximalMatch* d_matches, std::uint64_t* d_ends, cudaStream_t stream);

}  // namespace gsx::cuda

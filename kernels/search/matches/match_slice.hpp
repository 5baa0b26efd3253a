// Some queries of a batch on their way through the device: pieces there, maximal matches back.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/base/search_lane.hpp"
#include "kernels/search/matches/match_search.hpp"
#include "search/matches/query_pieces.hpp"

namespace gsx::cuda {

/// What is asked of a slice.
struct MatchSliceRequest {
  bool forward = true;
  bool reverse = true;
  std::uint64_t min_length = 1;
  std::uint64_t room = 0;  ///< matches of all strands that there is room for; below 2^32
};

/// The codes of queries, their pieces, and the end of each query's pieces.
template <class Offset>
struct CutQueries {
  std::span<const std::uint8_t> codes;
  std::span<const QueryPiece<Offset>> pieces;
  std::span<const std::uint32_t> ends;
};

/// The matches of queries in the memory of a lane. All that the host gives crosses the bus in one
/// copy, and all that it gets in another, with one wait.
template <class Offset, class Pos>
class MatchSlice {
 public:
  /// Takes memory, sends the queries, and waits for their matches. Before ResourceError and
  /// std::bad_alloc, nothing has been started. Pre: there are pieces. Throws CorruptIndexError,
  /// DeviceError.
  MatchSlice(SearchLane& lane, const SearchView<Pos>& index, const CutQueries<Offset>& queries,
             const MatchSliceRequest& request);
  MatchSlice(const MatchSlice&) = delete;
  MatchSlice& operator=(const MatchSlice&) = delete;

  /// Matches of all strands. If there are more than there was room for, nothing else is known.
  std::uint64_t found() const { return found_; }
  /// The maximal matches, and the end of each query's. Valid until the lane copies something else.
  std::span<const MaximalMatch> matches() const { return matches_; }
  std::span<const std::uint64_t> ends() const { return ends_; }

 private:
  /// Numbers that kernels share. Zero at first.
  struct State {
    std::uint32_t fault;
    std::uint32_t found;
    std::uint32_t taken;
    std::uint32_t unused;
  };
  /// Where the arrays lie, in bytes from the beginning of the lane's device memory. The host has
  /// what is sent from the beginning on, and then what lies from the state on as it comes back.
  struct Places {
    std::uint64_t pieces, piece_ends;    ///< sent
    std::uint64_t state, ends, matches;  // the state both ways
    std::uint64_t found, listed, begins, kept, workspace;
  };
  template <class T>
  T* at(std::uint64_t offset) const {
    return reinterpret_cast<T*>(lane_.device() + offset);
  }
  void write(const CutQueries<Offset>& queries) const;

  SearchLane& lane_;
  Places places_;
  std::uint64_t found_ = 0;
  std::span<const MaximalMatch> matches_;
  std::span<const std::uint64_t> ends_;
};

}  // namespace gsx::cuda

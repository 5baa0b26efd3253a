#include "kernels/search/matches/match_slice.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/search/matches/query_symbols.hpp"
#include "search/exact/index_fault.hpp"

namespace gsx::cuda {

template <class Offset, class Pos>
MatchSlice<Offset, Pos>::MatchSlice(SearchLane& lane, const SearchView<Pos>& index,
                                    const CutQueries<Offset>& queries,
                                    const MatchSliceRequest& request)
    : lane_(lane) {
  const std::uint64_t room = request.room;
  QuerySymbols symbols(queries.codes, index.text);
  PiecesView<Offset> pieces{};
  pieces.count = static_cast<std::uint32_t>(queries.pieces.size());
  pieces.forward = request.forward;
  pieces.reverse = request.reverse;
  pieces.min_length = request.min_length;
  const std::uint64_t jobs = pieces.jobs();
  const std::uint64_t workspace_bytes = match_workspace_bytes(jobs, room);
  Layout layout;
  symbols.add_sent(layout);
  places_.pieces = layout.add<QueryPiece<Offset>>(queries.pieces.size());
  places_.piece_ends = layout.add<std::uint32_t>(queries.ends.size());
  places_.state = layout.add<State>(1);
  const std::uint64_t sent_end = layout.end();
  places_.ends = layout.add<std::uint64_t>(queries.ends.size());
  places_.matches = layout.add<MaximalMatch>(room);
  const std::uint64_t returned_end = layout.end();
  symbols.add_kept(layout);
  places_.found = layout.add<FoundMatch<Offset, Pos>>(room);
  places_.listed = layout.add<ListedMatch<Offset, Pos>>(room);
  places_.begins = layout.add<std::uint32_t>(jobs + 1);
  places_.kept = layout.add<std::uint32_t>(room + 1);
  places_.workspace = layout.add<std::uint8_t>(workspace_bytes);
  lane.begin(layout.end(), std::max(sent_end, returned_end - places_.state));

  symbols.write(lane);
  write(queries);
  lane.send(sent_end);
  // What no match fills comes back, too.
  GSX_CUDA_CHECK(
      cudaMemsetAsync(at<std::uint8_t>(sent_end), 0, returned_end - sent_end, lane.stream()));
  auto* const d_begins = at<std::uint32_t>(places_.begins);
  GSX_CUDA_CHECK(cudaMemsetAsync(d_begins + jobs, 0, sizeof *d_begins, lane.stream()));
  pieces.symbols = symbols.pack(lane);
  pieces.pieces = at<QueryPiece<Offset>>(places_.pieces);
  State* const d_state = at<State>(places_.state);
  const MatchArrays<Offset, Pos> arrays{at<FoundMatch<Offset, Pos>>(places_.found),
                                        at<ListedMatch<Offset, Pos>>(places_.listed),
                                        d_begins,
                                        at<std::uint32_t>(places_.kept),
                                        at<std::uint8_t>(places_.workspace),
                                        workspace_bytes,
                                        static_cast<std::uint32_t>(room),
                                        &d_state->found,
                                        &d_state->taken};
  find_matches_async(index, pieces, arrays, &d_state->fault, lane.stream());
  unite_strands_async(pieces, arrays, at<std::uint32_t>(places_.piece_ends), queries.ends.size(),
                      at<MaximalMatch>(places_.matches), at<std::uint64_t>(places_.ends),
                      lane.stream());
  lane.fetch(at<std::uint8_t>(places_.state), returned_end - places_.state);
  lane.wait();
  State state;
  std::memcpy(&state, lane.host(), sizeof state);
  if (state.fault != 0) throw_index_fault();
  found_ = state.found;
  if (found_ > room) return;
  const auto returned = [&](std::uint64_t offset) {
    return lane.host() + (offset - places_.state);
  };
  ends_ = {reinterpret_cast<const std::uint64_t*>(returned(places_.ends)), queries.ends.size()};
  if (ends_.back() > room) throw_index_fault();
  matches_ = {reinterpret_cast<const MaximalMatch*>(returned(places_.matches)), ends_.back()};
}

/// Writes what is sent beside the symbols to where it will lie.
template <class Offset, class Pos>
void MatchSlice<Offset, Pos>::write(const CutQueries<Offset>& queries) const {
  std::uint8_t* const host = lane_.host();
  const auto copy = [&](std::uint64_t to, const auto& from) {
    if (!from.empty()) std::memcpy(host + to, from.data(), from.size_bytes());
  };
  copy(places_.pieces, queries.pieces);
  copy(places_.piece_ends, queries.ends);
  std::memset(host + places_.state, 0, sizeof(State));
}

template class MatchSlice<std::uint32_t, std::uint32_t>;
template class MatchSlice<std::uint64_t, std::uint32_t>;
template class MatchSlice<std::uint64_t, std::uint64_t>;

}  // namespace gsx::cuda

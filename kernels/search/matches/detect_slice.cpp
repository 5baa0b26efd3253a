#include "kernels/search/matches/detect_slice.hpp"

#include <cstring>

#include "kernels/search/matches/query_symbols.hpp"
#include "search/exact/index_fault.hpp"

namespace gsx::cuda {
namespace {

/// Numbers that threads share. Zero at first.
struct State {
  std::uint32_t fault;
  std::uint32_t taken;
};

}  // namespace

template <class Offset, class Pos>
DetectSlice::DetectSlice(SearchLane& lane, const SearchView<Pos>& index,
                         const DetectSliceRequest<Offset>& request) {
  using Piece = DetectPiece<Offset>;
  const std::span<const Piece> pieces = request.pieces;
  const Piece &first = pieces.front(), &last = pieces.back();
  const std::uint64_t queries = std::uint64_t{last.query - first.query} + 1;
  QuerySymbols symbols(request.codes.subspan(first.begin, last.begin + last.length - first.begin),
                       index.text);
  Layout layout;
  symbols.add_sent(layout);
  const std::uint64_t pieces_at = layout.add<Piece>(pieces.size());
  const std::uint64_t state_at = layout.add<State>(1);
  const std::uint64_t matched_at = layout.add<std::uint8_t>(queries);
  const std::uint64_t sent_end = layout.end(), returned = matched_at + queries - state_at;
  symbols.add_kept(layout);
  lane.begin(layout.end(), sent_end);

  symbols.write(lane);
  auto* const h_pieces = reinterpret_cast<Piece*>(lane.host() + pieces_at);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    h_pieces[i] = {static_cast<Offset>(pieces[i].begin - first.begin), pieces[i].length,
                   static_cast<Offset>(pieces[i].query - first.query)};
  }
  std::memset(lane.host() + state_at, 0, returned);
  lane.send(sent_end);
  std::uint8_t* const device = lane.device();
  auto* const d_state = reinterpret_cast<State*>(device + state_at);
  const DetectView<Offset> view{
      symbols.pack(lane),
      {reinterpret_cast<const Piece*>(device + pieces_at),
       static_cast<std::uint32_t>(pieces.size()), request.forward, request.reverse},
      request.min_length,
      device + matched_at,
      &d_state->taken,
      &d_state->fault};
  detect_async(index, view, lane.stream());
  lane.fetch(device + state_at, returned);
  lane.wait();
  State state;
  std::memcpy(&state, lane.host(), sizeof state);
  if (state.fault != 0) throw_index_fault();
  matched_ = {lane.host() + (matched_at - state_at), queries};
}

#define GSX_INSTANTIATE(Offset, Pos)                                     \
  template DetectSlice::DetectSlice(SearchLane&, const SearchView<Pos>&, \
                                    const DetectSliceRequest<Offset>&)
GSX_INSTANTIATE(std::uint32_t, std::uint32_t);
GSX_INSTANTIATE(std::uint64_t, std::uint32_t);
GSX_INSTANTIATE(std::uint64_t, std::uint64_t);
#undef GSX_INSTANTIATE

}  // namespace gsx::cuda

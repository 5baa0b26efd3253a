#include "kernels/scan/seed_slice.hpp"

#include <algorithm>
#include <cstring>

#include "base/base_packing.hpp"
#include "kernels/runtime/device_buffer.hpp"
#include "kernels/search/layout.hpp"
#include "search/index_fault.hpp"

namespace gsx::cuda {

template <class Pos>
SeedSlice<Pos>::SeedSlice(SearchLane& lane, const SearchView<Pos>& index,
                          const SeedPatterns& patterns, const SeedRequest& request)
    : lane_(lane) {
  const Patterns lookups = patterns.lookups();
  const std::uint64_t pieces = lookups.size();
  if (pieces == 0) return;
  const Jobs jobs = Jobs::of(pieces, request.strands, true);
  Layout layout;
  places_.symbols =
      layout.add<std::uint8_t>(packed_bases_bytes(lookups.symbols()) + PackedView::slack);
  places_.piece_ends = layout.add<std::uint64_t>(pieces);
  places_.foreign = layout.add<std::uint8_t>(pieces);
  places_.words = layout.add<std::uint64_t>(patterns.words().size());
  places_.entries = layout.add<SeedEntry>(patterns.entries().size());
  places_.pieces = layout.add<SeedPiece>(pieces);
  places_.state = layout.add<State>(1);
  const std::uint64_t sent_end = layout.end();
  places_.hits = layout.add<Hit>(request.room);
  places_.patterns = layout.add<std::uint32_t>(request.room);
  const std::uint64_t returned_end = layout.end();
  places_.found = layout.add<Found<Pos>>(jobs.count);
  places_.lists = layout.add<std::uint32_t>(SearchLists::lists * jobs.count);
  places_.seed_jobs = layout.add<std::uint32_t>(jobs.count);
  lane.begin(layout.end(), std::max(sent_end, returned_end - places_.state));

  write(patterns);
  lane.send(sent_end);
  // What no place fills comes back, too.
  GSX_CUDA_CHECK(
      cudaMemsetAsync(at<std::uint8_t>(sent_end), 0, returned_end - sent_end, lane.stream()));
  State* const d_state = at<State>(places_.state);
  const PatternsView looked_up{{at<std::uint8_t>(places_.symbols), lookups.symbols(), 2},
                               at<std::uint64_t>(places_.piece_ends),
                               at<std::uint8_t>(places_.foreign),
                               pieces};
  search_async(index, looked_up, jobs, request.verify, at<Found<Pos>>(places_.found),
               SearchLists{at<std::uint32_t>(places_.lists), d_state->search_counters},
               &d_state->fault, lane.stream());
  const SeedsView seeds{at<std::uint64_t>(places_.words), at<SeedEntry>(places_.entries),
                        at<SeedPiece>(places_.pieces)};
  find_places_async(
      index, seeds, jobs, at<Found<Pos>>(places_.found), request.mismatches,
      {at<Hit>(places_.hits), at<std::uint32_t>(places_.patterns), request.room, &d_state->places},
      {at<std::uint32_t>(places_.seed_jobs), d_state->seed_counters}, &d_state->fault,
      lane.stream());
  lane.fetch(at<std::uint8_t>(places_.state), returned_end - places_.state);
  lane.wait();
  State state;
  std::memcpy(&state, lane.host(), sizeof state);
  if (state.fault != 0) throw_index_fault();
  size_ = state.places;
  if (size_ > request.most) return;
  if (size_ > request.room) {
    fetch_more(index, seeds, jobs, request.mismatches);
    return;
  }
  const auto returned = [&](std::uint64_t offset) {
    return lane.host() + (offset - places_.state);
  };
  hits_ = {reinterpret_cast<const Hit*>(returned(places_.hits)), size_};
  patterns_ = {reinterpret_cast<const std::uint32_t*>(returned(places_.patterns)), size_};
}

/// Writes what is sent to where it will lie.
template <class Pos>
void SeedSlice<Pos>::write(const SeedPatterns& patterns) const {
  std::uint8_t* const host = lane_.host();
  const Patterns lookups = patterns.lookups();
  const auto copy = [&](std::uint64_t to, const auto& from) {
    if (!from.empty()) std::memcpy(host + to, from.data(), from.size_bytes());
  };
  pack_bases(lookups.codes, host + places_.symbols, [](std::size_t) {});
  std::memset(host + places_.symbols + packed_bases_bytes(lookups.symbols()), 0, PackedView::slack);
  copy(places_.piece_ends, lookups.ends);
  std::memset(host + places_.foreign, 0, lookups.size());  // pieces hold bases only
  copy(places_.words, patterns.words());
  copy(places_.entries, patterns.entries());
  copy(places_.pieces, patterns.pieces());
  std::memset(host + places_.state, 0, sizeof(State));
}

/// Lists the places again, with room for all of them, and fetches them.
template <class Pos>
void SeedSlice<Pos>::fetch_more(const SearchView<Pos>& index, const SeedsView& seeds,
                                const Jobs& jobs, std::uint32_t mismatches) {
  const DeviceStream stream = lane_.stream();
  DeviceBuffer<Hit> d_hits(size_, stream);
  DeviceBuffer<std::uint32_t> d_patterns(size_, stream);
  own_hits_.resize(size_);
  own_patterns_.resize(size_);
  State* const d_state = at<State>(places_.state);
  GSX_CUDA_CHECK(cudaMemsetAsync(d_state, 0, sizeof(State), stream));
  find_places_async(index, seeds, jobs, at<Found<Pos>>(places_.found), mismatches,
                    {d_hits.data(), d_patterns.data(), size_, &d_state->places},
                    {at<std::uint32_t>(places_.seed_jobs), d_state->seed_counters}, &d_state->fault,
                    stream);
  lane_.to_host(own_hits_.data(), d_hits.data(), d_hits.bytes());
  lane_.to_host(own_patterns_.data(), d_patterns.data(), d_patterns.bytes());
  hits_ = own_hits_;
  patterns_ = own_patterns_;
}

template class SeedSlice<std::uint32_t>;
template class SeedSlice<std::uint64_t>;

}  // namespace gsx::cuda

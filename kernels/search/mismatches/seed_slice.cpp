#include "kernels/search/mismatches/seed_slice.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/base/device_buffer.hpp"
#include "kernels/search/exact/layout.hpp"
#include "kernels/search/mismatches/seed_preparation.hpp"
#include "search/exact/index_fault.hpp"

namespace gsx::cuda {

template <class Pos>
SeedSlice<Pos>::SeedSlice(SearchLane& lane, const SearchView<Pos>& index,
                          const SetPatterns& patterns, const SeedPatterns& seeds,
                          const MismatchRequest& request, const SeedSliceOptions& options)
    : lane_(lane) {
  const std::uint64_t symbols = patterns.symbols();
  const std::uint64_t pieces = seeds.pieces().size(), count = seeds.entries().size();
  const std::uint64_t classes = count * 2 * (request.mismatches + 1);
  const Jobs jobs = Jobs::of(pieces, request.strands, true);
  // What a search does not ask for takes no memory.
  const std::uint64_t located = options.locates ? count : 0;
  const std::uint64_t room = options.locates ? options.room : 0;
  const std::uint64_t hit_room = most_reported(count, room, request.max_hits);
  const std::uint64_t workspace_bytes = options.locates ? report_workspace_bytes(count, room) : 0;
  Layout layout;
  at_.sets = layout.add<BaseSet>(symbols + SeedPreparation::readable);
  at_.set_words = layout.add<std::uint64_t>(seeds.words().size());
  at_.entries = layout.add<SeedEntry>(count);
  at_.pieces = layout.add<SeedPiece>(pieces);
  at_.state = layout.add<State>(1);
  const std::uint64_t sent_end = layout.end();
  if (!options.locates) at_.class_counts = layout.add<std::uint64_t>(classes);
  at_.counts = layout.add<StrandCounts>(located);
  at_.ends = layout.add<std::uint64_t>(located);
  at_.hits = layout.add<Hit>(hit_room);
  const std::uint64_t returned_end = layout.end();
  if (options.locates) at_.class_counts = layout.add<std::uint64_t>(classes);
  at_.records = layout.add<std::uint64_t>(room);
  at_.other_records = layout.add<std::uint64_t>(room);
  at_.place_ends = layout.add<std::uint64_t>(located);
  at_.workspace = layout.add<std::uint8_t>(workspace_bytes);
  at_.packed = layout.add<std::uint32_t>(packed_words(symbols, 2));
  at_.words = layout.add<std::uint64_t>(seeds.all_words());
  at_.piece_begins = layout.add<std::uint64_t>(pieces);
  at_.piece_ends = layout.add<std::uint64_t>(pieces);
  at_.foreign = layout.add<std::uint8_t>(pieces);
  at_.found = layout.add<Found<Pos>>(jobs.count);
  at_.lists = layout.add<std::uint32_t>(SearchLists::lists * jobs.count);
  at_.seed_jobs = layout.add<std::uint32_t>(jobs.count);
  lane.begin(layout.end(), std::max(sent_end, returned_end - at_.state));

  write(patterns, seeds);
  lane.send(sent_end);
  // What no hit fills comes back, too.
  GSX_CUDA_CHECK(
      cudaMemsetAsync(at<std::uint8_t>(sent_end), 0, returned_end - sent_end, lane.stream()));
  prepare_async(patterns, static_cast<std::uint32_t>(count));
  State* const d_state = at<State>(at_.state);
  const PatternsView looked_up{.symbols = {at<std::uint8_t>(at_.packed), symbols, 2},
                               .ends = at<std::uint64_t>(at_.piece_ends),
                               .foreign = at<std::uint8_t>(at_.foreign),
                               .count = pieces,
                               .begins = at<std::uint64_t>(at_.piece_begins)};
  search_async(index, looked_up, jobs, options.verify, at<Found<Pos>>(at_.found),
               SearchLists{at<std::uint32_t>(at_.lists), d_state->search_counters}, &d_state->fault,
               lane.stream());
  const Search search{
      index,
      {at<std::uint64_t>(at_.words), at<SeedEntry>(at_.entries), at<SeedPiece>(at_.pieces)},
      jobs,
      request,
      static_cast<std::uint32_t>(count)};
  if (options.locates) {
    locate_async(search, at<std::uint64_t>(at_.records), room, at<Hit>(at_.hits),
                 {at<std::uint64_t>(at_.other_records), at<std::uint64_t>(at_.place_ends),
                  at<std::uint8_t>(at_.workspace), workspace_bytes});
  } else {
    find_async(search, {.counts = at<std::uint64_t>(at_.class_counts)});
  }
  lane.fetch(at<std::uint8_t>(at_.state), returned_end - at_.state);
  lane.wait();
  const State state = *returned<State>(at_.state);
  if (state.fault != 0) throw_index_fault();
  if (!options.locates) {
    class_counts_ = {returned<std::uint64_t>(at_.class_counts), classes};
    return;
  }
  places_ = state.places;
  counts_ = {returned<StrandCounts>(at_.counts), count};
  ends_ = {returned<std::uint64_t>(at_.ends), count};
  if (places_ > options.most) return;
  if (places_ > room) {
    locate_again(search);
  } else {
    hits_ = {returned<Hit>(at_.hits), ends_.back()};
  }
}

/// Writes what is sent to where it will lie.
template <class Pos>
void SeedSlice<Pos>::write(const SetPatterns& patterns, const SeedPatterns& seeds) const {
  std::uint8_t* const host = lane_.host();
  const auto copy = [&](std::uint64_t to, const auto& from) {
    if (!from.empty()) std::memcpy(host + to, from.data(), from.size_bytes());
  };
  copy(at_.sets, patterns.sets.subspan(patterns.begin, patterns.symbols()));
  copy(at_.set_words, seeds.words());
  copy(at_.entries, seeds.entries());
  copy(at_.pieces, seeds.pieces());
  std::memset(host + at_.state, 0, sizeof(State));
}

template <class Pos>
void SeedSlice<Pos>::prepare_async(const SetPatterns& patterns, std::uint32_t count) const {
  prepare_seeds_async({.sets = at<BaseSet>(at_.sets),
                       .symbols = patterns.symbols(),
                       .entries = at<SeedEntry>(at_.entries),
                       .pieces = at<SeedPiece>(at_.pieces),
                       .patterns = count,
                       .set_words = at<std::uint64_t>(at_.set_words),
                       .packed = at<std::uint32_t>(at_.packed),
                       .words = at<std::uint64_t>(at_.words),
                       .piece_begins = at<std::uint64_t>(at_.piece_begins),
                       .piece_ends = at<std::uint64_t>(at_.piece_ends),
                       .foreign = at<std::uint8_t>(at_.foreign)},
                      lane_.stream());
}

/// Counts the places anew, and lists them where the result has room for that.
template <class Pos>
void SeedSlice<Pos>::find_async(const Search& search, const ScanResult& result) const {
  const std::uint64_t bytes =
      sizeof(std::uint64_t) * search.patterns * 2 * (search.request.mismatches + std::uint64_t{1});
  State* const d_state = at<State>(at_.state);
  GSX_CUDA_CHECK(cudaMemsetAsync(result.counts, 0, bytes, lane_.stream()));
  find_places_async(search.index, search.seeds, search.jobs, at<Found<Pos>>(at_.found),
                    search.request.mismatches, result,
                    {at<std::uint32_t>(at_.seed_jobs), d_state->seed_counters}, &d_state->fault,
                    lane_.stream());
}

/// Finds the places, and leaves those that are reported in d_hits if there are at most `room`.
template <class Pos>
void SeedSlice<Pos>::locate_async(const Search& search, std::uint64_t* d_records,
                                  std::uint64_t room, Hit* d_hits,
                                  const ReportMemory& memory) const {
  const ScanResult result{.counts = at<std::uint64_t>(at_.class_counts),
                          .hits = d_records,
                          .room = room,
                          .hit_count = &at<State>(at_.state)->places};
  // Where no place is listed, records sort behind all others.
  GSX_CUDA_CHECK(cudaMemsetAsync(d_records, 0xFF, room * sizeof(std::uint64_t), lane_.stream()));
  find_async(search, result);
  report_places_async({result, search.patterns, search.request.mismatches}, search.request.max_hits,
                      {at<StrandCounts>(at_.counts), at<std::uint64_t>(at_.ends), d_hits}, memory,
                      lane_.stream());
}

/// Does the same with room for all places, and fetches the hits.
template <class Pos>
void SeedSlice<Pos>::locate_again(const Search& search) {
  // What follows uses the memory of these.
  own_counts_.assign(counts_.begin(), counts_.end());
  own_ends_.assign(ends_.begin(), ends_.end());
  counts_ = own_counts_;
  ends_ = own_ends_;
  own_hits_.resize(ends_.back());
  const DeviceStream stream = lane_.stream();
  DeviceBuffer<std::uint64_t> records(places_, stream), others(places_, stream);
  DeviceBuffer<Hit> hits(own_hits_.size(), stream);
  DeviceBuffer<std::uint8_t> workspace(report_workspace_bytes(search.patterns, places_), stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(at<State>(at_.state), 0, sizeof(State), stream));
  locate_async(
      search, records.data(), places_, hits.data(),
      {others.data(), at<std::uint64_t>(at_.place_ends), workspace.data(), workspace.size()});
  lane_.wait();  // asleep, which a copy does not
  lane_.to_host(own_hits_.data(), hits.data(), hits.bytes());
  hits_ = own_hits_;
}

template class SeedSlice<std::uint32_t>;
template class SeedSlice<std::uint64_t>;

}  // namespace gsx::cuda

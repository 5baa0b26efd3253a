#include "kernels/search/exact/slice.hpp"

#include <algorithm>
#include <cstring>

#include "base/base_packing.hpp"
#include "kernels/search/exact/hits.hpp"
#include "kernels/search/exact/layout.hpp"
#include "search/exact/index_fault.hpp"

namespace gsx::cuda {

namespace {

/// Symbols of other patterns in the byte in which the first one begins, if they are packed.
std::uint64_t symbols_before(const Patterns& patterns) {
  return patterns.are_packed() ? patterns.begin % 4 : 0;
}

}  // namespace

template <class Pos>
SearchSlice<Pos>::SearchSlice(SearchLane& lane, const SearchView<Pos>& index,
                              const Patterns& patterns, const SliceRequest& request)
    : lane_(lane),
      index_(index),
      jobs_(Jobs::of(patterns.size(), request.strands, request.complements)),
      room_(request.hit_room) {
  // Of packed patterns, whole bytes are sent: the first may begin behind others.
  const std::uint64_t count = patterns.size(), before = symbols_before(patterns),
                      size = before + patterns.symbols();
  const std::uint32_t bits = index.text.symbols.bits;
  const bool packed = index.text.sigma == 4 && bits == 2;  // by the host
  Layout layout;
  symbols_ = layout.add<std::uint8_t>(packed ? packed_bases_bytes(size) + PackedView::slack
                                             : size + PackedPatterns::readable);
  ends_ = layout.add<std::uint64_t>(count);
  foreign_ = layout.add<std::uint8_t>(count);
  state_ = layout.add<State>(1);
  counts_ = layout.add<StrandCounts>(count);
  ends_of_hits_ = layout.add<std::uint64_t>(request.locates ? count : 0);
  hits_ = layout.add<Hit>(room_);
  const std::uint64_t returned_end = layout.end();
  const std::uint64_t words = layout.add<std::uint32_t>(packed ? 0 : packed_words(size, bits));
  const std::uint64_t found = layout.add<Found<Pos>>(jobs_.count);
  const std::uint64_t lists = layout.add<std::uint32_t>(SearchLists::lists * jobs_.count);
  if (request.locates) {
    workspace_bytes_ = sum_up_bytes(count);
    workspace_ = layout.add<std::uint8_t>(workspace_bytes_);
    many_ = layout.add<std::uint64_t>(GatherLists::patterns_within(room_));
  }
  const std::uint64_t sent_end = counts_;
  lane.begin(layout.end(), std::max(sent_end, returned_end - state_));
  found_ = at<Found<Pos>>(found);
  patterns_ = {{at<std::uint8_t>(packed ? symbols_ : words), size, bits},
               at<std::uint64_t>(ends_),
               at<std::uint8_t>(foreign_),
               count,
               before};

  write_patterns(patterns, packed);
  lane.send(sent_end);
  if (!packed) {
    pack_async(at<std::uint8_t>(symbols_), size, bits, index.text.sigma, patterns_.ends, count,
               at<std::uint32_t>(words), at<std::uint8_t>(foreign_), lane.stream());
  }
  search_async(index, patterns_, jobs_, request.verify, found_,
               SearchLists{at<std::uint32_t>(lists), at<State>(state_)->counters}, fault_flag(),
               lane.stream());
}

/// Writes what is sent to where it will lie.
template <class Pos>
void SearchSlice<Pos>::write_patterns(const Patterns& patterns, bool packed) const {
  std::uint8_t* const host = lane_.host();
  const std::uint64_t base = patterns.begin - symbols_before(patterns),
                      size = patterns_.symbols.size;
  auto* const ends = reinterpret_cast<std::uint64_t*>(host + ends_);
  for (std::size_t i = 0; i < patterns.size(); ++i)
    ends[i] = patterns.ends[i] - base;
  std::uint8_t* const foreign = host + foreign_;
  std::memset(host + state_, 0, counts_ - state_);
  if (patterns.are_packed()) {
    std::ranges::copy(patterns.foreign, foreign);
    const std::uint64_t bytes = (size + 3) / 4;
    std::memcpy(host + symbols_, patterns.packed.bytes + base / 4, bytes);
    std::memset(host + symbols_ + bytes, 0, ends_ - symbols_ - bytes);
    return;
  }
  std::memset(foreign, 0, patterns.size());
  if (size == 0) return;
  const std::span<const std::uint8_t> codes = patterns.codes.subspan(base, size);
  if (!packed) {
    std::memcpy(host + symbols_, codes.data(), size);
    std::memset(host + symbols_ + size, 0, PackedPatterns::readable);
    return;
  }
  std::size_t holder = 0;
  pack_bases(codes, host + symbols_, [&](std::uint64_t at) {
    while (ends[holder] <= at)
      ++holder;
    foreign[holder] = 1;
  });
  std::memset(host + symbols_ + packed_bases_bytes(size), 0, PackedView::slack);
}

/// Fetches what lies from the state to `end`.
template <class Pos>
void SearchSlice<Pos>::fetch(std::uint64_t end) const {
  lane_.fetch(at<std::uint8_t>(state_), end - state_);
}

template <class Pos>
void SearchSlice<Pos>::wait() const {
  lane_.wait();
  if (returned<State>(state_)->fault != 0) throw_index_fault();
}

template <class Pos>
void SearchSlice<Pos>::count() {
  count_reported_async(jobs_, found_, 0, at<StrandCounts>(counts_), nullptr, lane_.stream());
  fetch(counts_ + jobs_.patterns * sizeof(StrandCounts));
}

template <class Pos>
void SearchSlice<Pos>::locate(std::uint64_t max_hits) {
  auto* const d_ends = at<std::uint64_t>(ends_of_hits_);
  const std::uint64_t end = hits_ + room_ * sizeof(Hit);
  // What no hit fills comes back, too.
  GSX_CUDA_CHECK(cudaMemsetAsync(at<std::uint8_t>(counts_), 0, end - counts_, lane_.stream()));
  count_reported_async(jobs_, found_, max_hits, at<StrandCounts>(counts_), d_ends, lane_.stream());
  sum_up_async(d_ends, jobs_.patterns, at<std::uint8_t>(workspace_), workspace_bytes_,
               lane_.stream());
  State* const d_state = at<State>(state_);
  gather_within_async(index_, jobs_, found_, d_ends, room_, at<std::uint64_t>(hits_),
                      {at<std::uint64_t>(many_), &d_state->many, &d_state->left_out}, fault_flag(),
                      lane_.stream());
  fetch(end);
}

template <class Pos>
std::span<const StrandCounts> SearchSlice<Pos>::counts() const {
  return {returned<StrandCounts>(counts_), jobs_.patterns};
}

template <class Pos>
std::span<const std::uint64_t> SearchSlice<Pos>::ends() const {
  return {returned<std::uint64_t>(ends_of_hits_), jobs_.patterns};
}

template <class Pos>
bool SearchSlice<Pos>::has_hits() const {
  return ends().back() <= room_ && returned<State>(state_)->left_out == 0;
}

template <class Pos>
std::span<const Hit> SearchSlice<Pos>::hits() const {
  return {returned<Hit>(hits_), ends().back()};
}

template <class Pos>
void SearchSlice<Pos>::check_fault() const {
  std::uint32_t fault = 0;
  GSX_CUDA_CHECK(
      cudaMemcpyAsync(&fault, fault_flag(), sizeof fault, cudaMemcpyDeviceToHost, lane_.stream()));
  GSX_CUDA_CHECK(cudaStreamSynchronize(lane_.stream()));
  if (fault != 0) throw_index_fault();
}

template class SearchSlice<std::uint32_t>;
template class SearchSlice<std::uint64_t>;

}  // namespace gsx::cuda

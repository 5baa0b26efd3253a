#include "kernels/search/matches/cuda_pair_searcher.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/search_lane.hpp"
#include "kernels/search/exact/layout.hpp"
#include "kernels/search/matches/device_pair_table.hpp"
#include "kernels/search/matches/pair_search.hpp"
#include "kernels/text/device_text.hpp"

namespace gsx::cuda {
namespace {

/// What a call shares with all others.
struct PairContext {
  SearchLane& lane;
  SearchLanes& lanes;
  PairTableView table;
  PairExtension extension;
  PairSampling sampling;
  const CudaPairOptions& options;

  std::uint64_t targets() const { return extension.target.length(); }
};

/// The pairs of an interval, sorted on the device but for the lengths of those that have the same
/// places.
class PairSlice {
 public:
  /// Waits. If there are more than `room`, it has none. Throws ResourceError, DeviceError,
  /// std::bad_alloc.
  PairSlice(const PairContext& context, const PairNumbering& numbering,
            const PairInterval& interval, std::uint32_t room)
      : context_(context),
        part_(numbering.part(interval.begin.place, interval.place_end())),
        keys_{interval.begin.place, bits_for(context.targets())} {
    if (part_.kmers() == 0) return;
    place(room);
    join_ = {
        context.table,
        context.extension,
        {at<NumberedPiece>(places_.pieces), part_.pieces.size() - 1, context.sampling.query_step},
        interval};
    look_up_kmers_async(join_, part_.begin, part_.kmers(), arrays_, stream());
    for (std::uint64_t begin = 0;; begin += context.options.candidates) {
      extend_candidates_async(join_, part_.begin, part_.kmers(), begin,
                              begin + context.options.candidates, keys_, arrays_, stream());
      context.lane.fetch(at<std::uint8_t>(places_.sums) + part_.kmers() * sizeof(std::uint64_t),
                         sizeof(Counts));
      context.lane.wait();
      Counts counts;
      std::memcpy(&counts, context.lane.host(), sizeof counts);
      found_ = counts.found;
      if (found_ > room || begin + context.options.candidates >= counts.candidates) break;
    }
    if (found_ <= room) sort(interval);
  }

  /// Pairs that were found; if more than there was room for, not all of them.
  std::uint64_t found() const { return found_; }

  /// Calls take(order) for each pair, in order, but for the lengths.
  template <class Take>
  void for_each(const Take& take) const {
    const std::uint64_t most = std::min(found_, context_.options.copied_pairs);
    std::vector<std::uint64_t> keys(most), lengths(most);
    for (std::uint64_t first = 0; first < found_; first += most) {
      const std::uint64_t count = std::min(most, found_ - first);
      context_.lane.to_host(keys.data(), sorted_.keys + first, count * sizeof(std::uint64_t));
      context_.lane.to_host(lengths.data(), sorted_.lengths + first, count * sizeof(std::uint64_t));
      for (std::uint64_t i = 0; i < count; ++i)
        take(keys_.pair(keys[i], lengths[i]));
    }
  }

 private:
  /// What comes back: the last one of the sums, and what lies behind it.
  struct Counts {
    std::uint64_t candidates;
    std::uint64_t found;
  };
  /// Where the arrays lie, in bytes from the beginning of the lane's device memory.
  struct Places {
    std::uint64_t pieces, sums, begins, deferred, open, workspace;
  };
  DeviceStream stream() const { return context_.lane.stream(); }
  template <class T>
  T* at(std::uint64_t offset) const {
    return reinterpret_cast<T*>(context_.lane.device() + offset);
  }

  /// Takes memory, and sends the pieces.
  void place(std::uint32_t room) {
    const std::uint64_t kmers = part_.kmers();
    const std::uint64_t workspace_bytes = pair_workspace_bytes(kmers);
    const std::uint32_t open_room = context_.options.open_pairs;
    Layout layout;
    places_.pieces = layout.add<NumberedPiece>(part_.pieces.size());
    const std::uint64_t sent = part_.pieces.size_bytes();
    places_.sums = layout.add<std::uint64_t>(kmers + 1 + 1);
    places_.begins = layout.add<std::uint32_t>(kmers);
    places_.deferred = layout.add<std::uint32_t>(1);
    places_.open = layout.add<OpenPair>(open_room);
    places_.workspace = layout.add<std::uint8_t>(workspace_bytes);
    context_.lane.begin(layout.end(), std::max<std::uint64_t>(sent, copied_bytes));
    std::memcpy(context_.lane.host(), part_.pieces.data(), sent);
    context_.lane.send(sent);
    found_keys_ = {room, stream()};
    found_lengths_ = {room, stream()};
    auto* const sums = at<std::uint64_t>(places_.sums);
    arrays_ = {sums,
               at<std::uint32_t>(places_.begins),
               at<std::uint8_t>(places_.workspace),
               workspace_bytes,
               at<OpenPair>(places_.open),
               open_room,
               room,
               found_keys_.data(),
               found_lengths_.data(),
               sums + kmers + 1,
               at<std::uint32_t>(places_.deferred)};
    GSX_CUDA_CHECK(cudaMemsetAsync(arrays_.found, 0, sizeof *arrays_.found, stream()));
    GSX_CUDA_CHECK(cudaMemsetAsync(arrays_.deferred, 0, sizeof *arrays_.deferred, stream()));
  }
  void sort(const PairInterval& interval) {
    if (found_ == 0) return;
    other_keys_ = {found_, stream()};
    other_lengths_ = {found_, stream()};
    const std::uint64_t places = interval.place_end() - interval.begin.place;
    sorted_ = sort_pairs_async(arrays_, static_cast<std::uint32_t>(found_),
                               keys_.target_bits + bits_for(places), other_keys_.data(),
                               other_lengths_.data(), stream());
  }

  /// Pinned memory that copies go through.
  static constexpr std::uint64_t copied_bytes = std::uint64_t{1} << 19;

  const PairContext& context_;
  PairNumbering::Part part_;
  PairKeys keys_;
  Places places_{};
  PairArrays arrays_{};
  PairJoin join_;
  DeviceBuffer<std::uint64_t> found_keys_, found_lengths_, other_keys_, other_lengths_;
  SortedPairs sorted_{};
  std::uint64_t found_ = 0;
};

/// One call.
class PairCall {
 public:
  PairCall(const PairContext& context, std::span<const PairPiece> pieces, const PairSink& sink)
      : context_(context),
        pieces_(pieces),
        numbering_(pieces, context.sampling),
        room_(context.options.pairs_at_once),
        sink_(sink) {}

  void run() {
    const std::uint64_t most = std::min(context_.options.most_places, places_in_a_key());
    for (std::uint64_t begin = 0; begin < numbering_.places(); begin += most)
      search({{begin, 0, 0}, {std::min(begin + most, numbering_.places()), 0, 0}});
    give();
  }

 private:
  /// Places whose numbers a key holds above a target.
  std::uint64_t places_in_a_key() const {
    return std::uint64_t{1} << (63 - bits_for(context_.targets()));
  }

  /// Gives the pairs of an interval, in parts if they are too many.
  void search(const PairInterval& interval) {
    if (search_at_once(interval)) return;
    PairOrder middle;
    if (!interval.divide(context_.targets(), middle)) {
      throw ResourceError(
          "too little GPU memory for pairs of matches; free some, or use --device "
          "cpu");
    }
    search({interval.begin, middle});
    search({middle, interval.end});
  }
  /// False if they are too many.
  bool search_at_once(const PairInterval& interval) {
    std::optional<PairSlice> slice;
    try {
      slice.emplace(context_, numbering_, interval, room_);
    } catch (const ResourceError&) {
      return make_room();
    } catch (const std::bad_alloc&) {
      return make_room();
    }
    if (slice->found() > room_) return false;
    slice->for_each([this](const PairOrder& pair) { add(pair); });
    return true;
  }
  /// Gives back what other lanes keep, and takes less from now on; false.
  bool make_room() {
    context_.lane.release();
    context_.lanes.release_idle();
    room_ = std::max<std::uint32_t>(room_ / 2, 1);
    return false;
  }

  /// Adds a pair behind the others.
  void add(const PairOrder& order) {
    while (order.place >= end_of_piece_) {
      ++piece_;
      first_place_ = end_of_piece_;
      end_of_piece_ += pieces_[piece_].end - pieces_[piece_].begin;
    }
    const PairPiece& piece = pieces_[piece_];
    const MatchPair pair{order.target, piece.reverse, piece.begin + (order.place - first_place_),
                         order.length};
    const bool same_places = !pairs_.empty() && pairs_.back().query == pair.query &&
                             pairs_.back().target == pair.target &&
                             pairs_.back().reverse == pair.reverse;
    if (!same_places) {
      sort_last();
      if (pairs_.size() >= context_.options.copied_pairs) give();
      same_ = pairs_.size();
    }
    pairs_.push_back(pair);
  }
  /// Sorts those that have the same places by length.
  void sort_last() {
    std::sort(pairs_.begin() + static_cast<std::ptrdiff_t>(same_), pairs_.end(),
              [](const MatchPair& a, const MatchPair& b) { return a.length < b.length; });
  }
  void give() {
    sort_last();
    if (!pairs_.empty()) sink_(pairs_);
    pairs_.clear();
    same_ = 0;
  }

  const PairContext& context_;
  std::span<const PairPiece> pieces_;
  PairNumbering numbering_;
  std::uint32_t room_;
  const PairSink& sink_;
  std::vector<MatchPair> pairs_;
  std::size_t same_ = 0;  ///< the first of those that have the same places as the last
  std::size_t piece_ = ~std::size_t{0};  ///< of the last pair
  std::uint64_t first_place_ = 0;        ///< of the piece
  std::uint64_t end_of_piece_ = 0;
};

class CudaPairSearcher final : public PairSearcher {
 public:
  CudaPairSearcher(const PairSetup& setup, std::shared_ptr<MemoryPool> pool, Transfer& transfer,
                   const CudaPairOptions& options)
      : pool_(std::move(pool)),
        transfer_(transfer),
        min_length_(setup.min_length),
        options_(options),
        sampling_(options.sampling ? *options.sampling : sampling_within(setup)),
        placed_(std::in_place, setup.text, sampling_, *pool_, transfer),
        lanes_(std::in_place, *pool_) {
    log().debug(
        "{}-mers of every {} places of the target, looked up for every {} of a query: {} "
        "bytes of GPU memory",
        sampling_.kmer, sampling_.target_step, sampling_.query_step, placed_->table.bytes());
  }
  ~CudaPairSearcher() override {
    const CurrentDevice current(pool_->device(), std::nothrow);
    lanes_.reset();
    placed_.reset();
  }

  void take(const PackedView& queries) override {
    const CurrentDevice current(pool_->device());
    const DeviceStream stream = placed_->device_stream;
    queries_ = {};
    placed_->queries = {};
    placed_->queries = {PackedView::bytes_for(queries.size, queries.bits), stream};
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));  // the buffer exists in stream order
    transfer_.to_device(placed_->queries.data(), queries.bytes, placed_->queries.bytes());
    queries_ = {placed_->queries.data(), queries.size, queries.bits};
  }
  void find(std::span<const PairPiece> pieces, const PairSink& sink) const override {
    const CurrentDevice current(pool_->device());
    const SearchLanes::Guard lane = lanes_->take();
    const PairSink callers = [&](std::span<const MatchPair> pairs) {
      const CallersDevice outside;
      sink(pairs);
    };
    const PairContext context{
        *lane,
        *lanes_,
        placed_->table.view(),
        {placed_->text.view(), queries_, sampling_.kmer, sampling_.period(), min_length_},
        sampling_,
        options_};
    PairCall(context, pieces, callers).run();
  }
  std::uint64_t best_places() const override { return tuning::pair_places; }

 private:
  struct Placed {
    Placed(const TextView& host, const PairSampling& sampling, MemoryPool& pool, Transfer& transfer)
        : device_stream{stream.get(), &pool},
          text(host, transfer, device_stream),
          table(text.view(), sampling, device_stream) {}

    Stream stream;
    DeviceStream device_stream;
    DeviceText text;
    DevicePairTable table;
    DeviceBuffer<std::uint8_t> queries;
  };

  /// A quarter of the memory is for queries and pairs.
  PairSampling sampling_within(const PairSetup& setup) const {
    const std::uint64_t available = pool_->available(), text = DeviceText::bytes(setup.text);
    const std::uint64_t others = available / 4 + text;
    require_device_bytes(*pool_, text, "the target");
    const std::uint64_t most =
        std::min(PairTable::most_samples,
                 (available - std::min(available, others)) / PairTable::sample_bytes);
    const std::uint64_t length = setup.text.length();
    const PairSampling sampling =
        pair_sampling(setup.min_length, setup.text.symbols.bits, length, most);
    const std::uint64_t samples = length / sampling.target_step;
    if (samples > most || samples >= PairTable::most_samples) {
      throw ResourceError("out of GPU memory: the k-mers of the target take " +
                          std::to_string(samples * PairTable::sample_bytes) + " bytes, " +
                          std::to_string(most * PairTable::sample_bytes) +
                          " are free for them; give -L of a greater length, or use --device cpu");
    }
    return sampling;
  }

  std::shared_ptr<MemoryPool> pool_;
  Transfer& transfer_;
  std::uint64_t min_length_;
  CudaPairOptions options_;
  PairSampling sampling_;
  std::optional<Placed> placed_;
  PackedView queries_;  ///< on the device
  mutable std::optional<SearchLanes> lanes_;
};

}  // namespace

std::unique_ptr<PairSearcher> make_pair_searcher(const PairSetup& setup,
                                                 std::shared_ptr<MemoryPool> pool,
                                                 Transfer& transfer,
                                                 const CudaPairOptions& options) {
  return std::make_unique<CudaPairSearcher>(setup, std::move(pool), transfer, options);
}

}  // namespace gsx::cuda

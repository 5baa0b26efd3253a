// An index on a device, for all who search there at the same time.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/stream.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/exact/search_index.hpp"

namespace gsx::cuda {

/// When the extras of an index are computed.
struct ExtrasStart {
  std::uint64_t rows = tuning::rows_with_extras;  ///< at once for indexes of up to so many rows
  std::uint64_t symbols = tuning::extras_from;    ///< else once so many symbols are searched for
  /// The suffix array at once in any case: for searches that locate hundreds of rows per query.
  bool suffix_array_at_once = false;
};

/// Owns an index on a device, and keeps the pool of its memory. What makes searches faster, but
/// takes a while to compute, is computed beside the first searches, if there are enough of them.
template <class Pos>
class PlacedIndex {
 public:
  /// Places `index`; without `whole_suffix_array`, samples only. Waits. Pre: the pool's GPU is
  /// current. Throws ResourceError when the index does not fit, DeviceError; CorruptIndexError that
  /// computing what it has at once has met with.
  PlacedIndex(const Index& index, std::shared_ptr<MemoryPool> pool, Transfer& transfer,
              bool whole_suffix_array, const ExtrasStart& extras_start = {})
      : pool_(std::move(pool)), extras_start_(extras_start) {
    DevicePlacement placement = plan_placement(index, sizeof(Pos), pool_->available());
    if (!whole_suffix_array) placement.whole_suffix_array = false;
    require_device_bytes(*pool_, placement.bytes, "the index");
    log().debug("GPU memory for the index: {} bytes{}", placement.bytes,
                placement.whole_suffix_array ? ", the whole suffix array among them" : "");
    placed_.emplace(index, *pool_, placement, transfer);
    if (index.fm().rows() <= extras_start_.rows) {
      state_ = State::started;
      add_extras();
    } else if (extras_start_.suffix_array_at_once) {
      try_to_add([this] { placed_->index.add_suffix_array(stream()); });
    }
    if (failure_) std::rethrow_exception(failure_);
    first_ = placed_->index.view();
    if (state_ != State::first || placed_->index.has_extras_to_add()) return;
    last_ = first_;
    state_ = State::done;
  }
  ~PlacedIndex() {
    const CurrentDevice current(pool_->device(), std::nothrow);
    if (extras_.valid()) extras_.wait();
    placed_.reset();
  }
  PlacedIndex(const PlacedIndex&) = delete;
  PlacedIndex& operator=(const PlacedIndex&) = delete;

  /// The index for a search of so many symbols; any thread may ask. Valid as long as this lives.
  /// Throws CorruptIndexError, DeviceError that computing the extras has met with.
  SearchView<Pos> view(std::uint64_t symbols) const {
    switch (state_.load(std::memory_order_acquire)) {
      case State::first:
        if ((asked_ += symbols) >= extras_start_.symbols) start_extras();
        return first_;
      case State::started:
        return first_;
      case State::located:
        return located_;
      case State::done:
        return last_;
      case State::failed:
        break;
    }
    std::rethrow_exception(failure_);
  }
  MemoryPool& pool() const { return *pool_; }

 private:
  /// Of the extras: none is asked for; they are being computed; the suffix array is there; both.
  /// Where memory or a thread is lacking, the second or third state is the last.
  enum class State { first, started, located, done, failed };

  struct Placed {
    Placed(const Index& host, MemoryPool& pool, const DevicePlacement& placement,
           Transfer& transfer)
        : index(host, placement, transfer, {stream.get(), &pool}) {}

    Stream stream;
    SearchIndex<Pos> index;
  };

  DeviceStream stream() const { return {placed_->stream.get(), pool_.get()}; }

  void start_extras() const {
    State first = State::first;
    if (!state_.compare_exchange_strong(first, State::started)) return;
    try {
      extras_ = std::async(std::launch::async, [this] { add_extras(); });
    } catch (const std::system_error&) {
      // There is no thread to be had: searches do without.
    } catch (const std::bad_alloc&) {
      // As above.
    }
  }
  /// The suffix array comes first: it saves more, and its kernel holds its place among those of
  /// searches, where those of the k-mers often wait.
  void add_extras() const {
    try_to_add([this] {
      const CurrentDevice current(pool_->device());
      placed_->index.add_suffix_array(stream());
      located_ = placed_->index.view();
      state_.store(State::located, std::memory_order_release);
      placed_->index.add_kmers(stream());
      last_ = placed_->index.view();
      state_.store(State::done, std::memory_order_release);
    });
  }
  /// Adds extras, without which searches do if memory is short.
  template <class Add>
  void try_to_add(const Add& add) const {
    try {
      add();
    } catch (const ResourceError& error) {
      log().debug("no more of the index on the GPU: {}", error.what());
    } catch (const std::bad_alloc&) {
      log().debug("no more of the index on the GPU: out of memory");
    } catch (...) {
      failure_ = std::current_exception();
      state_.store(State::failed, std::memory_order_release);
    }
  }

  std::shared_ptr<MemoryPool> pool_;
  ExtrasStart extras_start_;
  mutable std::optional<Placed> placed_;
  SearchView<Pos> first_;
  mutable SearchView<Pos> located_;     ///< once the whole suffix array is there
  mutable SearchView<Pos> last_;        ///< once done
  mutable std::exception_ptr failure_;  ///< once failed
  mutable std::atomic<State> state_{State::first};
  mutable std::atomic<std::uint64_t> asked_{0};  ///< symbols
  mutable std::future<void> extras_;
};

/// Remembers which index lies on a device, as long as someone searches it.
class SharedPlacement {
 public:
  /// The index, placed if it is not there. Pre and errors: those of PlacedIndex.
  template <class Pos>
  std::shared_ptr<const PlacedIndex<Pos>> place(const Index& index,
                                                std::shared_ptr<MemoryPool> pool,
                                                Transfer& transfer) {
    // Whoever searches a placed index keeps its source, so no other has the same address.
    if (source_ == &index && position_bytes_ == sizeof(Pos)) {
      if (auto placed = std::static_pointer_cast<const PlacedIndex<Pos>>(placed_.lock()))
        return placed;
    }
    auto placed = std::make_shared<const PlacedIndex<Pos>>(index, std::move(pool), transfer, true);
    source_ = &index;
    position_bytes_ = sizeof(Pos);
    placed_ = placed;
    return placed;
  }

 private:
  const Index* source_ = nullptr;
  std::size_t position_bytes_ = 0;
  std::weak_ptr<const void> placed_;
};

}  // namespace gsx::cuda

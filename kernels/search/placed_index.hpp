// An index on a device, for all who search there at the same time.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "kernels/runtime/current_device.hpp"
#include "kernels/runtime/device.hpp"
#include "kernels/runtime/stream.hpp"
#include "kernels/search/search_index.hpp"

namespace gsx::cuda {

/// Owns an index on a device, and keeps the pool of its memory.
template <class Pos>
class PlacedIndex {
 public:
  /// Places as much of `index` as there is room for; without `whole_suffix_array`, samples only.
  /// Waits. Pre: the pool's GPU is current. Throws ResourceError when the index does not fit,
  /// CorruptIndexError, DeviceError.
  PlacedIndex(const Index& index, std::shared_ptr<MemoryPool> pool, Transfer& transfer,
              bool whole_suffix_array)
      : pool_(std::move(pool)) {
    DevicePlacement placement = plan_placement(index, sizeof(Pos), pool_->available());
    if (!whole_suffix_array) placement.whole_suffix_array = false;
    require_device_bytes(*pool_, placement.bytes, "the index");
    log().debug("GPU memory for the index: {} bytes{}", placement.bytes,
                placement.whole_suffix_array ? ", the whole suffix array among them" : "");
    placed_.emplace(index, *pool_, placement, transfer);
  }
  ~PlacedIndex() {
    const CurrentDevice current(pool_->device(), std::nothrow);
    placed_.reset();
  }
  PlacedIndex(const PlacedIndex&) = delete;
  PlacedIndex& operator=(const PlacedIndex&) = delete;

  SearchView<Pos> view() const { return placed_->index.view(); }
  MemoryPool& pool() const { return *pool_; }

 private:
  struct Placed {
    Placed(const Index& host, MemoryPool& pool, const DevicePlacement& placement,
           Transfer& transfer)
        : index(host, placement, transfer, {stream.get(), &pool}) {}

    Stream stream;
    SearchIndex<Pos> index;
  };

  std::shared_ptr<MemoryPool> pool_;
  std::optional<Placed> placed_;
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

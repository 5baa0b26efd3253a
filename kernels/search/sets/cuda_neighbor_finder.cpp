#include "kernels/search/sets/cuda_neighbor_finder.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "kernels/base/copies.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/sets/neighbor_search.hpp"

namespace gsx::cuda {
namespace {

/// A set on the device.
template <unsigned Words>
class DeviceSet {
 public:
  DeviceSet(const SequenceSetView<Words>& set, bool with_counts, Transfer& transfer,
            DeviceStream stream)
      : keys_(copy_to_device(set.keys, set.size, transfer, stream)),
        counts_(copy_to_device(set.counts, with_counts ? set.size : 0, transfer, stream)),
        view_{keys_.data(), counts_.data(), set.size, set.shape} {}
  const SequenceSetView<Words>& view() const { return view_; }

 private:
  DeviceBuffer<SequenceKey<Words>> keys_;
  DeviceBuffer<std::uint64_t> counts_;
  SequenceSetView<Words> view_;
};

/// Host memory for lists of some rows at a time.
class HostRoom {
 public:
  HostRoom(std::uint64_t rows, const NeighborOptions& options) {
    const std::uint64_t fixed =
        (rows + 1) * sizeof(std::uint64_t) + 2 * tuning::transfer_lanes * tuning::transfer_bytes;
    if (options.memory_bytes <= fixed) {
      throw ResourceError("too little memory: finding neighbours of " + std::to_string(rows) +
                          " sequences on the GPU takes at least " + std::to_string(fixed) +
                          " bytes more, and " + std::to_string(options.memory_bytes) +
                          " are left; allow more");
    }
    most_pairs_ = (options.memory_bytes - fixed) / sizeof(std::uint32_t);
  }

  /// The end of the rows from `begin` on whose lists fit, at least one.
  std::uint64_t end_from(std::span<const std::uint64_t> offsets, std::uint64_t begin) const {
    const std::uint64_t end = end_of_rows(offsets, begin, most_pairs_);
    if (end > begin) return end;
    throw ResourceError("too little memory: a sequence has " +
                        std::to_string(offsets[begin + 1] - offsets[begin]) +
                        " neighbours, and there is room for " + std::to_string(most_pairs_));
  }
  /// The same for `most` pairs; `begin` itself if not even one row fits.
  static std::uint64_t end_of_rows(std::span<const std::uint64_t> offsets, std::uint64_t begin,
                                   std::uint64_t most) {
    const auto from = offsets.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto behind = std::upper_bound(
        from, offsets.end(), most,
        [from](std::uint64_t pairs, std::uint64_t offset) { return offset - *from > pairs; });
    return static_cast<std::uint64_t>(behind - offsets.begin()) - 1;
  }

 private:
  std::uint64_t most_pairs_;
};

template <unsigned Words>
class NeighborLister {
 public:
  NeighborLister(const NeighborTableView<Words>& table, const NeighborQuestion<Words>& question,
                 const NeighborOptions& options, std::uint64_t pairs_at_once, Transfer& transfer,
                 DeviceStream stream)
      : table_(table),
        question_(question),
        options_(options),
        transfer_(transfer),
        stream_(stream),
        room_(question.d_asked.size, options),
        d_offsets_(question.d_asked.size + 1, stream) {
    report(0);
    count_neighbors_async(table, question, d_offsets_.data(), stream);
    offsets_ = copy_to_host(d_offsets_, "numbers of neighbours", transfer, stream);
    const std::uint64_t pairs = offsets_.span().back();
    // Half of what is left: memory is taken in larger pieces than it is asked for.
    const std::uint64_t most = stream.pool->available() / 2 / sizeof(std::uint32_t);
    d_others_ = {std::min({pairs, pairs_at_once, most}), stream};
  }

  void give(const TakeNeighbors& take) {
    const std::uint64_t rows = question_.d_asked.size;
    if (options_.at_once && room_.end_from(offsets_.span(), 0) < rows) {
      throw ResourceError("too little memory: all " + std::to_string(offsets_[rows]) +
                          " pairs are wanted at once; allow more");
    }
    // The first offset of a chunk is 0, so that of the next one is kept.
    std::uint64_t next = 0;
    for (std::uint64_t begin = 0, end; begin < rows; begin = end) {
      offsets_[begin] = next;
      end = room_.end_from(offsets_.span(), begin);
      Buffer<std::uint32_t> others(offsets_[end] - offsets_[begin], "neighbours");
      list(begin, end, others);
      next = offsets_[end];
      for (std::uint64_t i = end + 1; offsets_[begin] != 0 && i-- > begin;)
        offsets_[i] -= offsets_[begin];
      report(static_cast<double>(end) / static_cast<double>(rows));
      const CallersDevice outside;
      take({begin, end, offsets_.data() + begin, others.data()});
    }
  }

 private:
  /// Lists the neighbours of rows [begin, end), on the device some rows at a time.
  void list(std::uint64_t begin, std::uint64_t end, Buffer<std::uint32_t>& others) {
    const auto offsets = offsets_.span().first(end + 1);
    for (std::uint64_t at = begin, to; at < end; at = to) {
      to = HostRoom::end_of_rows(offsets, at, d_others_.size());
      if (to == at) {
        throw ResourceError("too little memory on the GPU: a sequence has " +
                            std::to_string(offsets[at + 1] - offsets[at]) +
                            " neighbours, and there is room for " +
                            std::to_string(d_others_.size()));
      }
      if (offsets[to] == offsets[at]) continue;
      list_neighbors_async(table_, question_, at, to, d_offsets_.data(), d_others_.data(), stream_);
      GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));
      transfer_.to_host(others.data() + (offsets[at] - offsets[begin]), d_others_.data(),
                        (offsets[to] - offsets[at]) * sizeof(std::uint32_t));
    }
  }
  void report(double part) const {
    if (!options_.progress) return;
    const CallersDevice outside;
    options_.progress("finding neighbours", part);
  }

  const NeighborTableView<Words>& table_;
  const NeighborQuestion<Words>& question_;
  const NeighborOptions& options_;
  Transfer& transfer_;
  DeviceStream stream_;
  HostRoom room_;
  DeviceBuffer<std::uint64_t> d_offsets_;
  Buffer<std::uint64_t> offsets_;
  DeviceBuffer<std::uint32_t> d_others_;
};

}  // namespace

void CudaNeighborFinder::find(const SequenceSet& first, const SequenceSet* second,
                              const NeighborRequest& request, const NeighborOptions& options,
                              const TakeNeighbors& take) {
  const CurrentDevice current = link_.make_current();
  Transfer& transfer = link_.transfer(options.threads);
  const DeviceStream stream = link_.stream();
  first.with_view([&]<unsigned Words>(const SequenceSetView<Words>& set) {
    Stopwatch watch;
    const SequenceSetView<Words> other = second != nullptr ? second->view<Words>() : set;
    const bool counts = request.kind != NeighborKind::later;
    const DeviceSet<Words> d_asked(set, counts, transfer, stream);
    std::optional<DeviceSet<Words>> d_other;
    if (second != nullptr) d_other.emplace(other, false, transfer, stream);
    const NeighborTable<Words> table(d_asked.view(), d_other ? d_other->view() : d_asked.view(),
                                     options_.table, stream);
    log().debug("table of {} leading symbols on the device in {:.3f} s", table.view().leading,
                watch.lap());
    const NeighborQuestion<Words> question{d_asked.view(), request.distance, second == nullptr,
                                           request.kind};
    NeighborLister<Words> lister(table.view(), question, options, options_.pairs_at_once, transfer,
                                 stream);
    log().debug("neighbours counted in {:.3f} s", watch.lap());
    lister.give(take);
  });
}

}  // namespace gsx::cuda

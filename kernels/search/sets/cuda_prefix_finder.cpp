#include "kernels/search/sets/cuda_prefix_finder.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "kernels/base/current_device.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/search_lane.hpp"
#include "kernels/base/stream.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/sets/device_prefix_set.hpp"
#include "kernels/search/sets/prefix_search.hpp"

namespace gsx::cuda {
namespace {

class CudaPrefixFinder final : public PrefixFinder {
 public:
  CudaPrefixFinder(const PrefixSet& set, std::shared_ptr<MemoryPool> pool, Transfer& transfer)
      : pool_(std::move(pool)), lanes_(std::make_unique<SearchLanes>(*pool_)) {
    require_device_bytes(*pool_, DevicePrefixSet::bytes(set), "the set of sequences");
    try {
      set_ = DevicePrefixSet(set, transfer, {stream_.get(), pool_.get()});
    } catch (...) {
      (void)cudaStreamSynchronize(stream_.get());  // so that the pool has no frees to come
      throw;
    }
  }
  ~CudaPrefixFinder() override {
    const CurrentDevice current(pool_->device(), std::nothrow);
    set_ = {};
    lanes_.reset();
    (void)cudaStreamSynchronize(stream_.get());
  }

  void find(std::span<const std::string_view> sequences,
            std::span<std::uint32_t> found) const override {
    if (set_.view().size == 0) {
      std::ranges::fill(found, PrefixSetView::none);
      return;
    }
    const CurrentDevice current(pool_->device());
    const SearchLanes::Guard lane = lanes_->take();
    const std::uint64_t query_bytes = set_.view().words() * sizeof(std::uint64_t);
    const std::uint64_t asked = query_bytes + sizeof(std::uint32_t);
    const std::uint64_t at_once = std::min<std::uint64_t>(
        std::max<std::uint64_t>(tuning::transfer_bytes / asked, 1), sequences.size());
    (*lane).begin(at_once * (asked + sizeof(std::uint32_t)), at_once * asked);
    for (std::uint64_t begin = 0; begin < sequences.size(); begin += at_once) {
      const std::uint64_t size = std::min<std::uint64_t>(at_once, sequences.size() - begin);
      ask(*lane, sequences.subspan(begin, size), found.subspan(begin, size));
    }
  }

 private:
  void ask(SearchLane& lane, std::span<const std::string_view> sequences,
           std::span<std::uint32_t> found) const {
    const PrefixSetView& set = set_.view();
    const std::uint64_t size = sequences.size(), words = size * set.words();
    auto* const queries = reinterpret_cast<std::uint64_t*>(lane.host());
    auto* const lengths = reinterpret_cast<std::uint32_t*>(queries + words);
    for (std::uint64_t q = 0; q < size; ++q)
      lengths[q] = leading_bases(sequences[q], set.longest, queries + q * set.words());
    lane.send(words * sizeof(std::uint64_t) + size * sizeof(std::uint32_t));
    const auto* d_queries = reinterpret_cast<const std::uint64_t*>(lane.device());
    const auto* d_lengths = reinterpret_cast<const std::uint32_t*>(d_queries + words);
    std::uint8_t* const d_found =
        lane.device() + words * sizeof(std::uint64_t) + size * sizeof(std::uint32_t);
    longest_prefixes_async(set, set_.indexes(), d_queries, d_lengths, size,
                           reinterpret_cast<std::uint32_t*>(d_found), lane.stream());
    lane.fetch(d_found, size * sizeof(std::uint32_t));
    lane.wait();
    std::memcpy(found.data(), lane.host(), size * sizeof(std::uint32_t));
  }

  std::shared_ptr<MemoryPool> pool_;
  Stream stream_;
  std::unique_ptr<SearchLanes> lanes_;
  DevicePrefixSet set_;
};

}  // namespace

std::unique_ptr<PrefixFinder> make_prefix_finder(const PrefixSet& set,
                                                 std::shared_ptr<MemoryPool> pool,
                                                 Transfer& transfer) {
  return std::make_unique<CudaPrefixFinder>(set, std::move(pool), transfer);
}

}  // namespace gsx::cuda

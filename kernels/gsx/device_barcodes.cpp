// Sets of short sequences in device memory.
#include <algorithm>
#include <new>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/public_call.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/stream.hpp"
#include "kernels/base/transfer.hpp"
#include "kernels/gsx/device_barcodes.cuh"
#include "kernels/search/sets/device_prefix_set.hpp"
#include "kernels/search/sets/neighbor_search.hpp"
#include "kernels/search/sets/neighbor_table.hpp"
#include "kernels/search/sets/prefix_search.hpp"
#include "search/sets/neighbors.hpp"

namespace gsx {
namespace {

void check(const DeviceSequences& set) {
  if (set.shape.length < 1 || set.shape.length > SequenceShape::most_length ||
      (set.shape.bits != 2 && set.shape.bits != 3)) {
    throw UsageError("sequences of " + std::to_string(set.shape.length) + " symbols of " +
                     std::to_string(set.shape.bits) +
                     " bits; give 1 to 64 symbols, of 2 or 3 bits");
  }
  if (set.size > SequenceSet::most_size) throw UsageError("a set has at most 2^31 - 1 sequences");
}

template <unsigned Words>
SequenceSetView<Words> view_of(const DeviceSequences& set) {
  return {reinterpret_cast<const SequenceKey<Words>*>(set.words), nullptr, set.size, set.shape};
}

/// A search whose number of words is known to itself.
class AnySearch {
 public:
  virtual ~AnySearch() = default;
  virtual std::uint64_t bytes() const = 0;
  virtual void count_async(std::uint64_t* d_offsets, cuda::DeviceStream stream) const = 0;
  virtual void list_async(std::uint64_t begin, std::uint64_t end, const std::uint64_t* d_offsets,
                          std::uint32_t* d_others, cudaStream_t stream) const = 0;
};

template <unsigned Words>
class Search final : public AnySearch {
 public:
  Search(const DeviceSequences& set, const DeviceSequences* other, unsigned distance,
         cuda::DeviceStream stream)
      : question_{view_of<Words>(set), distance, other == nullptr},
        table_(question_.d_asked, other != nullptr ? view_of<Words>(*other) : question_.d_asked, {},
               stream) {}

  std::uint64_t bytes() const override { return table_.bytes(); }
  void count_async(std::uint64_t* d_offsets, cuda::DeviceStream stream) const override {
    cuda::count_neighbors_async(table_.view(), question_, d_offsets, stream);
  }
  void list_async(std::uint64_t begin, std::uint64_t end, const std::uint64_t* d_offsets,
                  std::uint32_t* d_others, cudaStream_t stream) const override {
    cuda::list_neighbors_async(table_.view(), question_, begin, end, d_offsets, d_others, stream);
  }

 private:
  cuda::NeighborQuestion<Words> question_;
  cuda::NeighborTable<Words> table_;
};

}  // namespace

/// The memory belongs to a stream of its own, which outlives the caller's.
struct DeviceNeighbors::State {
  mutable cuda::MemoryPool pool;
  cuda::Stream stream;
  std::uint64_t size;
  std::unique_ptr<AnySearch> search;

  State(const DeviceSequences& set, const DeviceSequences* other, unsigned distance,
        cudaStream_t callers, const DeviceMemory& memory)
      : pool(cuda::current_usable_device(), memory.limit, memory.pool), size(set.size) {
    GSX_CUDA_CHECK(cudaStreamSynchronize(callers));
    try {
      with_key_words(set.shape.words(), [&](auto words) {
        search = std::make_unique<Search<decltype(words)::value>>(
            set, other, distance, cuda::DeviceStream{stream.get(), &pool});
      });
      stream.synchronize();
    } catch (...) {
      search.reset();
      (void)cudaStreamSynchronize(stream.get());  // so that the pool has no frees to come
      throw;
    }
  }
  ~State() {
    const cuda::CurrentDevice current(pool.device(), std::nothrow);
    search.reset();
    (void)cudaStreamSynchronize(stream.get());
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  static std::unique_ptr<State> make(const DeviceSequences& set, const DeviceSequences* other,
                                     unsigned distance, cudaStream_t stream,
                                     const DeviceMemory& memory) {
    check(set);
    if (other != nullptr) check(*other);
    if (other != nullptr && !(other->shape == set.shape))
      throw UsageError("both sets must have one length and one number of bits per symbol");
    if (distance < 1 || distance > NeighborRequest::most_distance)
      throw UsageError("a distance of " + std::to_string(distance) + "; give 1 or 2");
    return with_gsx_errors(
        [&] { return std::make_unique<State>(set, other, distance, stream, memory); });
  }
};

DeviceNeighbors::DeviceNeighbors(const DeviceSequences& set, unsigned distance, cudaStream_t stream,
                                 const DeviceMemory& memory)
    : state_(State::make(set, nullptr, distance, stream, memory)) {}
DeviceNeighbors::DeviceNeighbors(const DeviceSequences& set, const DeviceSequences& other,
                                 unsigned distance, cudaStream_t stream, const DeviceMemory& memory)
    : state_(State::make(set, &other, distance, stream, memory)) {}
DeviceNeighbors::DeviceNeighbors(DeviceNeighbors&&) noexcept = default;
DeviceNeighbors& DeviceNeighbors::operator=(DeviceNeighbors&&) noexcept = default;
DeviceNeighbors::~DeviceNeighbors() = default;

std::uint64_t DeviceNeighbors::bytes() const {
  return state_->search->bytes();
}

std::uint64_t DeviceNeighbors::count(std::uint64_t* d_offsets, cudaStream_t stream) const {
  cuda::require_no_pending_error();
  std::uint64_t pairs = 0;
  try {
    state_->search->count_async(d_offsets, {stream, &state_->pool});
    GSX_CUDA_CHECK(cudaMemcpyAsync(&pairs, d_offsets + state_->size, sizeof pairs,
                                   cudaMemcpyDeviceToHost, stream));
  } catch (...) {
    (void)cudaStreamSynchronize(stream);  // so that the pool has no frees to come when it goes
    throw;
  }
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return pairs;
}

void DeviceNeighbors::list(std::uint64_t begin, std::uint64_t end, const std::uint64_t* d_offsets,
                           std::uint32_t* d_others, cudaStream_t stream) const {
  cuda::require_no_pending_error();
  if (begin > end || end > state_->size) {
    throw UsageError("sequences " + std::to_string(begin) + " to " + std::to_string(end) + " of " +
                     std::to_string(state_->size));
  }
  state_->search->list_async(begin, end, d_offsets, d_others, stream);
}

struct DevicePrefixSet::State {
  mutable cuda::MemoryPool pool;
  cuda::Stream stream;
  cuda::DevicePrefixSet set;

  State(const PrefixSet& of, const DeviceMemory& memory, int threads)
      : pool(cuda::current_usable_device(), memory.limit, memory.pool) {
    cuda::require_device_bytes(pool, cuda::DevicePrefixSet::bytes(of), "the set of sequences");
    cuda::Transfer transfer(pool.device(), threads_for(threads));
    try {
      set = cuda::DevicePrefixSet(of, transfer, {stream.get(), &pool});
    } catch (...) {
      (void)cudaStreamSynchronize(stream.get());  // so that the pool has no frees to come
      throw;
    }
  }
  ~State() {
    const cuda::CurrentDevice current(pool.device(), std::nothrow);
    set = {};
    (void)cudaStreamSynchronize(stream.get());
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

DevicePrefixSet::DevicePrefixSet(const PrefixSet& set, const DeviceMemory& memory, int threads) {
  with_gsx_errors([&] { state_ = std::make_unique<State>(set, memory, threads); });
}
DevicePrefixSet::DevicePrefixSet(DevicePrefixSet&&) noexcept = default;
DevicePrefixSet& DevicePrefixSet::operator=(DevicePrefixSet&&) noexcept = default;
DevicePrefixSet::~DevicePrefixSet() = default;

std::uint64_t DevicePrefixSet::bytes() const {
  return state_->set.bytes();
}
PrefixSetView DevicePrefixSet::view() const {
  return state_->set.view();
}
const std::uint32_t* DevicePrefixSet::indexes() const {
  return state_->set.indexes();
}

void DevicePrefixSet::longest_prefixes(const std::uint64_t* d_queries,
                                       const std::uint32_t* d_lengths, std::uint64_t count,
                                       std::uint32_t* d_found, cudaStream_t stream) const {
  cuda::require_no_pending_error();
  cuda::longest_prefixes_async(view(), indexes(), d_queries, d_lengths, count, d_found, stream);
}

}  // namespace gsx

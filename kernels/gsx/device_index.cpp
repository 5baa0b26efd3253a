// An index on the device, for searches from device memory and for the caller's kernels.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "index/sa/suffix_array.hpp"
#include "kernels/base/copies.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/event.hpp"
#include "kernels/base/stream.hpp"
#include "kernels/gsx/device.cuh"
#include "kernels/search/exact/hits.hpp"
#include "search/exact/index_fault.hpp"
#include "search/exact/strand_check.hpp"

namespace gsx {
namespace {

using cuda::DeviceBuffer;
using cuda::DeviceStream;
using SharedPool = std::shared_ptr<cuda::MemoryPool>;

/// Twice as many strands must have 32-bit numbers.
constexpr std::uint64_t most_patterns = (std::uint64_t{1} << 31) - 1;

/// A buffer that keeps its pool alive, and is freed on its pool's device.
template <class T>
class SharedBuffer {
 public:
  SharedBuffer(SharedPool pool, DeviceBuffer<T> buffer, cudaStream_t stream)
      : pool_(std::move(pool)), stream_(stream), buffer_(std::move(buffer)) {}
  /// The last owner of a pool waits, so that the pool has no frees to come.
  ~SharedBuffer() {
    const cuda::CurrentDevice current(pool_->device(), std::nothrow);
    buffer_.reset();
    if (pool_.use_count() == 1) (void)cudaStreamSynchronize(stream_);
    pool_.reset();
  }
  SharedBuffer(const SharedBuffer&) = delete;
  SharedBuffer& operator=(const SharedBuffer&) = delete;

 private:
  SharedPool pool_;
  cudaStream_t stream_;
  std::optional<DeviceBuffer<T>> buffer_;
};

/// The buffer as an array of the caller's, whose elements have the type U.
template <class U, class T>
DeviceArray<U> array_of(const SharedPool& pool, DeviceBuffer<T> buffer, cudaStream_t stream) {
  static_assert(sizeof(U) == sizeof(T));
  auto* const data = reinterpret_cast<U*>(buffer.data());
  const std::size_t size = buffer.size();
  return {std::make_shared<SharedBuffer<T>>(pool, std::move(buffer), stream), data, size};
}

template <class Pos>
cuda::SearchIndex<Pos> placed(const Index& index, const cuda::MemoryPool& pool,
                              bool whole_suffix_array, cuda::Transfer& transfer,
                              DeviceStream stream) {
  const std::uint64_t free = pool.available();
  // A plan leaves a fifth of what it is given: half of all is to stay free.
  const std::uint64_t room = whole_suffix_array ? free / 2 + free / 8 : 0;
  const auto placement = cuda::plan_placement(index, sizeof(Pos), room);
  cuda::require_device_bytes(pool, placement.bytes, "the index");
  cuda::SearchIndex<Pos> made(index, placement, transfer, stream);
  made.add_suffix_array(stream);
  made.add_kmers(stream);
  return made;
}

cuda::PackedPatterns pack(const DevicePatterns& patterns, const TextView& text,
                          const std::uint8_t* d_code_of, DeviceStream stream) {
  constexpr std::uint64_t readable = cuda::PackedPatterns::readable;
  DeviceBuffer<std::uint8_t> codes(patterns.size + readable, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(codes.data() + patterns.size, 0, readable, stream));
  cuda::encode_async(patterns.letters, patterns.size, d_code_of, codes.data(), stream);
  DeviceBuffer<std::uint64_t> ends(patterns.count, stream);
  GSX_CUDA_CHECK(
      cudaMemcpyAsync(ends.data(), patterns.ends, ends.bytes(), cudaMemcpyDeviceToDevice, stream));
  return {codes.data(), patterns.size, std::move(ends), text.symbols.bits, text.sigma, stream};
}

}  // namespace

struct DeviceIndex::State {
  State(const Index& index, SharedPool own_pool, const DeviceIndexOptions& options)
      : pool(std::move(own_pool)), alphabet(index.alphabet()) {
    const int threads = options.threads > 0 ? options.threads : available_threads();
    cuda::Transfer transfer(pool->device(), threads);
    const DeviceStream on = making();
    if (is_wide(index.meta().length, PositionWidth::automatic)) {
      searched = placed<std::uint64_t>(index, *pool, options.whole_suffix_array, transfer, on);
    } else {
      searched = placed<std::uint32_t>(index, *pool, options.whole_suffix_array, transfer, on);
    }
    std::vector<std::uint8_t> codes;
    for (int letter = 0; letter < 256; ++letter)
      codes.push_back(alphabet.code(static_cast<char>(letter)));
    code_of = cuda::copy_to_device(codes.data(), codes.size(), transfer, on);
    fault = DeviceBuffer<std::uint32_t>(1, on);
    GSX_CUDA_CHECK(cudaMemsetAsync(fault.data(), 0, fault.bytes(), on));
    stream.synchronize();
  }

  DeviceStream making() const { return {stream.get(), pool.get()}; }
  DeviceStream on(cudaStream_t of_caller) const { return {of_caller, pool.get()}; }

  template <class Work>
  auto visit(const Work& work) const {
    return searched.index() == 2 ? work(std::get<2>(searched)) : work(std::get<1>(searched));
  }

  /// Starts the search of all patterns; calls work(view, jobs, found) behind it.
  template <class Work>
  auto search(const DevicePatterns& patterns, Strands strands, DeviceStream stream_of_caller,
              const Work& work) const {
    require_strand(strands, alphabet);
    if (patterns.count > most_patterns) {
      throw UsageError("a batch on a GPU has at most " + std::to_string(most_patterns) +
                       " patterns");
    }
    const Use use(*this, stream_of_caller);
    return visit([&]<class Pos>(const cuda::SearchIndex<Pos>& index) {
      const cuda::SearchView<Pos> view = index.view();
      const cuda::PackedPatterns packed =
          pack(patterns, view.text, code_of.data(), stream_of_caller);
      const cuda::Jobs jobs =
          cuda::Jobs::of(patterns.count, strands, alphabet.has_reverse_complement());
      DeviceBuffer<cuda::Found<Pos>> d_found(jobs.count, stream_of_caller);
      cuda::search_async(view, packed.view(), jobs, true, d_found.data(), fault_flag(),
                         stream_of_caller);
      return work(view, jobs, d_found.data());
    });
  }

  /// When it ends, however it ends, the memory of the index will be freed only behind what the
  /// caller's stream holds by then.
  class Use {
   public:
    Use(const State& state, cudaStream_t of_caller) : state_(state), of_caller_(of_caller) {}
    ~Use() {
      (void)cudaEventRecord(done_.get(), of_caller_);
      (void)cudaStreamWaitEvent(state_.stream.get(), done_.get());
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    const State& state_;
    cudaStream_t of_caller_;
    cuda::Event done_;
  };

  /// Kernels raise it when the index leads outside itself.
  std::uint32_t* fault_flag() const { return const_cast<std::uint32_t*>(fault.data()); }
  void check_fault(cudaStream_t of_caller) const {
    if (cuda::first_value(fault, of_caller) != 0) throw_index_fault();
  }

  SharedPool pool;
  Alphabet alphabet;
  cuda::Stream stream;
  std::variant<std::monostate, cuda::SearchIndex<std::uint32_t>, cuda::SearchIndex<std::uint64_t>>
      searched;
  DeviceBuffer<std::uint8_t> code_of;  ///< [256]
  DeviceBuffer<std::uint32_t> fault;
};

DeviceIndex::DeviceIndex(const Index& index, const DeviceIndexOptions& options) {
  const int device = cuda::current_usable_device();
  auto pool = std::make_shared<cuda::MemoryPool>(device, options.memory.limit, options.memory.pool);
  const cuda::CurrentDevice current(device);
  state_ = std::make_unique<State>(index, std::move(pool), options);
}

DeviceIndex::~DeviceIndex() {
  if (!state_) return;
  const cuda::CurrentDevice current(state_->pool->device(), std::nothrow);
  state_.reset();
}

DeviceIndex::DeviceIndex(DeviceIndex&&) noexcept = default;
DeviceIndex& DeviceIndex::operator=(DeviceIndex&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

DeviceIndexView DeviceIndex::view() const {
  return state_->visit([&]<class Pos>(const cuda::SearchIndex<Pos>& index) {
    const cuda::SearchView<Pos> searched = index.view();
    DeviceIndexView view;
    view.fm = searched.fm;
    view.text = searched.text;
    view.codes = state_->code_of.data();
    if constexpr (sizeof(Pos) == sizeof(std::uint32_t)) view.narrow_rows = searched.sa;
    if constexpr (sizeof(Pos) == sizeof(std::uint64_t)) view.wide_rows = searched.sa;
    return view;
  });
}

std::uint64_t DeviceIndex::bytes() const {
  return state_->visit([](const auto& index) { return index.placement().bytes; });
}

void DeviceIndex::count(const DevicePatterns& patterns, StrandCounts* d_counts, cudaStream_t stream,
                        Strands strands) const {
  cuda::require_no_pending_error();
  const cuda::CurrentDevice current(state_->pool->device());
  const DeviceStream on = state_->on(stream);
  state_->search(patterns, strands, on,
                 [&](const auto&, const cuda::Jobs& jobs, const auto* found) {
                   cuda::count_reported_async(jobs, found, unlimited, d_counts, nullptr, on);
                 });
}

DeviceHits DeviceIndex::locate(const DevicePatterns& patterns, const LocateRequest& request,
                               cudaStream_t stream) const {
  cuda::require_no_pending_error();
  const cuda::CurrentDevice current(state_->pool->device());
  const DeviceStream on = state_->on(stream);
  return state_->search(
      patterns, request.strands, on,
      [&](const auto& view, const cuda::Jobs& jobs, const auto* found) -> DeviceHits {
        DeviceBuffer<StrandCounts> counts(patterns.count, on);
        DeviceBuffer<std::uint64_t> ends(patterns.count, on);
        cuda::count_reported_async(jobs, found, request.max_hits, counts.data(), ends.data(), on);
        std::uint64_t total = 0;
        if (patterns.count > 0) {
          cuda::sum_up_async(ends, on);
          GSX_CUDA_CHECK(cudaMemcpyAsync(&total, ends.data() + ends.size() - 1, sizeof total,
                                         cudaMemcpyDeviceToHost, on));
        }
        state_->check_fault(stream);
        DeviceBuffer<std::uint64_t> hits(total, on);
        cuda::gather_hits(view, jobs, found, ends.data(), 0, patterns.count, hits,
                          state_->fault_flag(), on);
        state_->check_fault(stream);
        const SharedPool& pool = state_->pool;
        return {array_of<StrandCounts>(pool, std::move(counts), stream),
                array_of<std::uint64_t>(pool, std::move(ends), stream),
                array_of<Hit>(pool, std::move(hits), stream)};
      });
}

void DeviceIndex::check(cudaStream_t stream) const {
  cuda::require_no_pending_error();
  const cuda::CurrentDevice current(state_->pool->device());
  state_->check_fault(stream);
}

}  // namespace gsx

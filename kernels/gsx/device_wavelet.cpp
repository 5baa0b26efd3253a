// Wavelet sequences in device memory, and their queries.
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <string>

#include "arrays/wavelet/query_checks.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/public_call.hpp"
#include "kernels/arrays/wavelet/build_sequence.hpp"
#include "kernels/arrays/wavelet/device_wavelet_sequence.hpp"
#include "kernels/arrays/wavelet/piecewise_levels.hpp"
#include "kernels/arrays/wavelet/sequence_kernels.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/host_pieces.hpp"
#include "kernels/gsx/device_arrays.cuh"

namespace gsx {
namespace {

using Numbers = std::span<const std::uint64_t>;

/// Throws UsageError unless numbers of this type hold 0 to `largest`.
template <class Number>
void require_numbers(std::uint64_t largest, const char* what) {
  if (largest <= std::numeric_limits<Number>::max()) return;
  throw UsageError("numbers of " + std::to_string(8 * sizeof(Number)) + " bits cannot hold the " +
                   what + " of this sequence; use 64");
}

/// The largest number says that there is no such position.
template <class Number>
void require_positions(std::uint64_t size) {
  require_numbers<Number>(size + 1, "positions");
}

}  // namespace

/// The memory belongs to a stream of its own, which outlives the caller's.
struct DeviceWaveletSequence::State {
  mutable cuda::MemoryPool pool;
  cuda::Stream stream;
  mutable std::optional<cuda::SearchLanes> lanes;
  cuda::DeviceWaveletSequence sequence;
  std::uint64_t largest_value = 0;

  explicit State(const DeviceMemory& memory)
      : pool(cuda::current_usable_device(), memory.limit, memory.pool) {
    lanes.emplace(pool);
  }
  ~State() {
    const cuda::CurrentDevice current(pool.device(), std::nothrow);
    sequence = {};
    lanes.reset();
    (void)cudaStreamSynchronize(stream.get());
  }

  /// Answers by launch(d_queries, count, d_results, stream), where each query is one number from
  /// each of `queries`.
  template <class Launch>
  void answer(std::initializer_list<Numbers> queries, std::span<std::uint64_t> results, int threads,
              const Launch& launch) const {
    const cuda::CurrentDevice current(pool.device());
    constexpr std::uint64_t number = sizeof(std::uint64_t);
    const std::uint64_t asked = queries.size() * number;
    with_gsx_errors([&] {
      cuda::for_host_pieces(
          pool, *lanes, results.size(), {asked + number, asked}, 0, threads_for(threads),
          [&](cuda::SearchLane& lane, std::uint64_t begin, std::uint64_t count) {
            std::uint8_t* to = lane.host();
            for (const Numbers& some : queries) {
              std::memcpy(to, some.data() + begin, count * number);
              to += count * number;
            }
            lane.send(count * asked);
            const auto* d_queries = reinterpret_cast<const std::uint64_t*>(lane.device());
            std::uint8_t* const d_results = lane.device() + count * asked;
            launch(d_queries, count, reinterpret_cast<std::uint64_t*>(d_results), lane.stream());
            lane.fetch(d_results, count * number);
            lane.wait();
            std::memcpy(results.data() + begin, lane.host(), count * number);
          });
    });
  }
};

DeviceWaveletSequence::DeviceWaveletSequence(const WaveletSequence& sequence,
                                             const DeviceMemory& memory, int threads) {
  with_gsx_errors([&] {
    state_ = std::make_unique<State>(memory);
    cuda::require_device_bytes(state_->pool, cuda::DeviceWaveletSequence::bytes(sequence.view()),
                               "the wavelet sequence");
    cuda::Transfer transfer(state_->pool.device(), threads_for(threads));
    state_->sequence = cuda::DeviceWaveletSequence(sequence.view(), transfer,
                                                   {state_->stream.get(), &state_->pool});
    if (!sequence.values().empty()) state_->largest_value = sequence.values().back();
  });
}
template <class Value>
DeviceWaveletSequence::DeviceWaveletSequence(const Value* d_values, std::uint64_t size,
                                             WaveletShape shape, cudaStream_t stream,
                                             const DeviceMemory& memory) {
  with_gsx_errors([&] {
    (void)cuda::current_usable_device();
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
    state_ = std::make_unique<State>(memory);
    state_->sequence =
        cuda::build_sequence(d_values, size, shape, {state_->stream.get(), &state_->pool});
    const WaveletSequenceView built = view();
    if (built.symbol_count == 0) return;
    GSX_CUDA_CHECK(cudaMemcpyAsync(&state_->largest_value, built.values + built.symbol_count - 1,
                                   sizeof state_->largest_value, cudaMemcpyDeviceToHost,
                                   state_->stream.get()));
    state_->stream.synchronize();
  });
}
DeviceWaveletSequence::DeviceWaveletSequence(DeviceWaveletSequence&&) noexcept = default;
DeviceWaveletSequence& DeviceWaveletSequence::operator=(DeviceWaveletSequence&&) noexcept = default;
DeviceWaveletSequence::~DeviceWaveletSequence() = default;

WaveletSequenceView DeviceWaveletSequence::view() const {
  return state_->sequence.view();
}
std::uint64_t DeviceWaveletSequence::bytes() const {
  return state_->sequence.bytes();
}

template <class Number>
void DeviceWaveletSequence::access(const Number* d_positions, std::uint64_t count, Number* d_values,
                                   cudaStream_t stream) const {
  cuda::require_no_pending_error();
  require_positions<Number>(size());
  require_numbers<Number>(state_->largest_value, "values");
  cuda::access_async(view(), d_positions, count, d_values, stream);
}
template <class Number>
void DeviceWaveletSequence::rank(const Number* d_values, const Number* d_positions,
                                 std::uint64_t count, Number* d_ranks, cudaStream_t stream) const {
  cuda::require_no_pending_error();
  require_positions<Number>(size());
  cuda::rank_async(view(), d_values, d_positions, count, d_ranks, stream);
}
template <class Number>
void DeviceWaveletSequence::select(const Number* d_values, const Number* d_numbers,
                                   std::uint64_t count, Number* d_positions,
                                   cudaStream_t stream) const {
  cuda::require_no_pending_error();
  require_positions<Number>(size());
  cuda::select_async(view(), d_values, d_numbers, count, d_positions, stream);
}

void DeviceWaveletSequence::access(Numbers positions, std::span<std::uint64_t> values,
                                   int threads) const {
  require_access(size(), positions, values);
  state_->answer(
      {positions}, values, threads,
      [&](const std::uint64_t* d_asked, std::uint64_t count, std::uint64_t* d_values,
          cudaStream_t stream) { cuda::access_async(view(), d_asked, count, d_values, stream); });
}
void DeviceWaveletSequence::rank(Numbers values, Numbers positions, std::span<std::uint64_t> ranks,
                                 int threads) const {
  require_rank(size(), values, positions, ranks);
  state_->answer({values, positions}, ranks, threads,
                 [&](const std::uint64_t* d_asked, std::uint64_t count, std::uint64_t* d_ranks,
                     cudaStream_t stream) {
                   cuda::rank_async(view(), d_asked, d_asked + count, count, d_ranks, stream);
                 });
}
void DeviceWaveletSequence::select(Numbers values, Numbers numbers,
                                   std::span<std::uint64_t> positions, int threads) const {
  require_select(values, numbers, positions);
  state_->answer({values, numbers}, positions, threads,
                 [&](const std::uint64_t* d_asked, std::uint64_t count, std::uint64_t* d_found,
                     cudaStream_t stream) {
                   cuda::select_async(view(), d_asked, d_asked + count, count, d_found, stream);
                 });
}

namespace arrays {

template <class Value>
WaveletSequence wavelet_by_device(std::span<const Value> array, WaveletShape shape,
                                  const DeviceMemory& memory, int threads) {
  cuda::MemoryPool pool(cuda::current_usable_device(), memory.limit, memory.pool);
  cuda::PiecewiseLevels levels(pool, threads_for(threads));
  return {array, shape, threads, levels};
}

}  // namespace arrays

#define GSX_DEVICE_WAVELET(Number)                                                                 \
  template void DeviceWaveletSequence::access(const Number*, std::uint64_t, Number*, cudaStream_t) \
      const;                                                                                       \
  template void DeviceWaveletSequence::rank(const Number*, const Number*, std::uint64_t, Number*,  \
                                            cudaStream_t) const;                                   \
  template void DeviceWaveletSequence::select(const Number*, const Number*, std::uint64_t,         \
                                              Number*, cudaStream_t) const;
GSX_DEVICE_WAVELET(std::uint32_t)
GSX_DEVICE_WAVELET(std::uint64_t)
#undef GSX_DEVICE_WAVELET
#define GSX_WAVELET_OF(Value)                                                                      \
  template DeviceWaveletSequence::DeviceWaveletSequence(const Value*, std::uint64_t, WaveletShape, \
                                                        cudaStream_t, const DeviceMemory&);        \
  template WaveletSequence arrays::wavelet_by_device(std::span<const Value>, WaveletShape,         \
                                                     const DeviceMemory&, int);
GSX_WAVELET_OF(std::uint8_t)
GSX_WAVELET_OF(std::uint16_t)
GSX_WAVELET_OF(std::uint32_t)
GSX_WAVELET_OF(std::uint64_t)
#undef GSX_WAVELET_OF

}  // namespace gsx

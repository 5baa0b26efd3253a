// Nearest smaller values and range minima of what is in device memory.
#include <new>
#include <string>

#include "base/error.hpp"
#include "kernels/arrays/minima/device_range_minima.hpp"
#include "kernels/arrays/minima/nearest_smaller.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/stream.hpp"
#include "kernels/gsx/device_arrays.cuh"

namespace gsx {

namespace arrays {

template <class Value, class Position>
void nearest_smaller(const Value* d_values, std::uint64_t size, Position* d_left, Position* d_right,
                     const SmallerRules& rules, cudaStream_t stream, const DeviceMemory& memory) {
  if (size > no_position<Position>) {
    throw UsageError("positions of " + std::to_string(8 * sizeof(Position)) +
                     " bits cannot hold those of " + std::to_string(size) + " values");
  }
  cuda::MemoryPool pool(cuda::current_usable_device(), memory.limit, memory.pool);
  const auto finish = [&] { return cudaStreamSynchronize(stream); };
  try {
    cuda::nearest_smaller_async(d_values, size, rules, d_left, d_right,
                                cuda::DeviceStream{stream, &pool});
  } catch (...) {
    (void)finish();  // so that the pool has no frees to come when it goes
    throw;
  }
  GSX_CUDA_CHECK(finish());
}

#define GSX_NEAREST_SMALLER(Value, Position)                                       \
  template void nearest_smaller(const Value*, std::uint64_t, Position*, Position*, \
                                const SmallerRules&, cudaStream_t, const DeviceMemory&);
#define GSX_NEAREST_SMALLER_OF(Value)       \
  GSX_NEAREST_SMALLER(Value, std::uint32_t) \
  GSX_NEAREST_SMALLER(Value, std::uint64_t)
GSX_NEAREST_SMALLER_OF(std::uint8_t)
GSX_NEAREST_SMALLER_OF(std::uint16_t)
GSX_NEAREST_SMALLER_OF(std::uint32_t)
GSX_NEAREST_SMALLER_OF(std::uint64_t)
#undef GSX_NEAREST_SMALLER_OF
#undef GSX_NEAREST_SMALLER

}  // namespace arrays

/// The memory belongs to a stream of its own, which outlives the caller's.
template <class Value>
struct DeviceRangeMinima<Value>::State {
  cuda::MemoryPool pool;
  cuda::Stream stream;
  cuda::DeviceRangeMinima<Value> minima;

  State(const Value* d_values, std::uint64_t size, const DeviceMemory& memory)
      : pool(cuda::current_usable_device(), memory.limit, memory.pool),
        minima(d_values, size, {stream.get(), &pool}) {
    stream.synchronize();
  }
  ~State() {
    const cuda::CurrentDevice current(pool.device(), std::nothrow);
    minima = {};
    (void)cudaStreamSynchronize(stream.get());
  }
};

template <class Value>
DeviceRangeMinima<Value>::DeviceRangeMinima(const Value* d_values, std::uint64_t size,
                                            cudaStream_t stream, const DeviceMemory& memory) {
  (void)cuda::current_usable_device();
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  state_ = std::make_unique<State>(d_values, size, memory);
}
template <class Value>
DeviceRangeMinima<Value>::DeviceRangeMinima(DeviceRangeMinima&&) noexcept = default;
template <class Value>
DeviceRangeMinima<Value>& DeviceRangeMinima<Value>::operator=(DeviceRangeMinima&&) noexcept =
    default;
template <class Value>
DeviceRangeMinima<Value>::~DeviceRangeMinima() = default;

template <class Value>
RangeMinimaView<Value> DeviceRangeMinima<Value>::view() const {
  return state_->minima.view();
}
template <class Value>
std::uint64_t DeviceRangeMinima<Value>::bytes() const {
  return state_->minima.bytes();
}

template <class Value>
void DeviceRangeMinima<Value>::leftmost(const ValueRange* d_ranges, std::uint64_t count,
                                        std::uint64_t* d_positions, cudaStream_t stream) const {
  cuda::require_no_pending_error();
  cuda::leftmost_minima_async(view(), d_ranges, count, d_positions, stream);
}
template <class Value>
void DeviceRangeMinima<Value>::minimum(const ValueRange* d_ranges, std::uint64_t count,
                                       Value* d_minima, cudaStream_t stream) const {
  cuda::require_no_pending_error();
  cuda::range_minima_async(view(), d_ranges, count, d_minima, stream);
}

template class DeviceRangeMinima<std::uint8_t>;
template class DeviceRangeMinima<std::uint16_t>;
template class DeviceRangeMinima<std::uint32_t>;
template class DeviceRangeMinima<std::uint64_t>;

}  // namespace gsx

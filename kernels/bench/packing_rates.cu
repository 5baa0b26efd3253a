#include "kernels/bench/packing_rates.hpp"

#include <algorithm>
#include <string>

#include "bench/best_rate.hpp"
#include "bench/cpu_arrays.hpp"
#include "kernels/arrays/packing/pack_kernels.hpp"
#include "kernels/arrays/packing/unpack_kernels.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/bench/device_rate.hpp"
#include "kernels/gsx/device_arrays.cuh"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr std::uint64_t most_gathers = std::uint64_t{1} << 26;
constexpr std::uint64_t most_from_host = std::uint64_t{1} << 28;

template <class Value>
__global__ void packable_kernel(std::uint64_t size, std::uint32_t bits, Value* d_values) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const std::uint64_t upper = measured_value(2 * i), lower = measured_value(2 * i + 1);
  d_values[i] = static_cast<Value>((upper << 32 | lower) >> (64 - bits));
}

__global__ void places_kernel(std::uint64_t count, std::uint64_t size, std::uint32_t* d_positions) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) d_positions[k] = static_cast<std::uint32_t>(measured_value(k) * size >> 32);
}

/// Integers of Value in fewer bits, in device memory.
template <class Value>
class PackingRates {
 public:
  PackingRates(std::uint32_t bits, std::uint64_t size, DeviceStream stream,
               std::vector<QueryRate>& rates)
      : bits_(bits),
        size_(size),
        stream_(stream),
        rates_(rates),
        values_(size, stream),
        unpacked_(size, stream),
        wide_(1, stream) {
    packable_kernel<<<blocks_for(size, block_threads), block_threads, 0, stream>>>(size, bits,
                                                                                   values_.data());
    GSX_CUDA_CHECK(cudaGetLastError());
  }

  void measure() {
    const double bytes = sizeof(Value) + bits_ / 8.0;
    add("copied", 2.0 * sizeof(Value), [&] {
      GSX_CUDA_CHECK(cudaMemcpyAsync(unpacked_.data(), values_.data(), values_.bytes(),
                                     cudaMemcpyDeviceToDevice, stream_));
    });
    {
      DeviceBuffer<std::uint8_t> stream(PackedView::bytes_for(size_, bits_), stream_);
      add("packed, stream", bytes, [&] {
        pack_stream_async(values_.data(), size_, bits_, 0, stream.data(), wide_.data(), stream_);
      });
      measure_reads("stream", bytes, PackedView{stream.data(), size_, bits_});
    }
    DeviceBuffer<std::uint32_t> words(InterleavedView::words_for(size_, bits_), stream_);
    add("packed, interleaved", bytes, [&] {
      pack_interleaved_async(values_.data(), size_, bits_, 0, words.data(), wide_.data(), stream_);
    });
    measure_reads("interleaved", bytes, InterleavedView{words.data(), size_, bits_});
  }

 private:
  template <class View>
  void measure_reads(const std::string& layout, double bytes, const View& view) {
    add("unpacked, " + layout, bytes,
        [&] { unpack_async(view, 0, size_, unpacked_.data(), stream_); });
    const std::uint64_t count = std::min(most_gathers, size_);
    DeviceBuffer<std::uint32_t> positions(count, stream_);
    places_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream_>>>(
        count, size_, positions.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    rates_.push_back(
        {name("read at random, " + layout),
         device_rate(
             count, stream_,
             [&] { gather_async(view, positions.data(), count, unpacked_.data(), stream_); }),
         "values/s", 1});
  }
  template <class Work>
  void add(const std::string& work, double bytes, const Work& run) {
    rates_.push_back({name(work), device_rate(size_, stream_, run), "values/s", 0, bytes});
  }
  std::string name(const std::string& work) const {
    return "on the device: " + std::to_string(bits_) + " of " + std::to_string(8 * sizeof(Value)) +
           " bits: " + work;
  }

  std::uint32_t bits_;
  std::uint64_t size_;
  DeviceStream stream_;
  std::vector<QueryRate>& rates_;
  DeviceBuffer<Value> values_, unpacked_;
  DeviceBuffer<std::uint64_t> wide_;
};

/// From host memory to host memory, interleaved.
void measure_from_host(std::uint64_t size, int threads, DeviceStream stream,
                       std::vector<QueryRate>& rates) {
  constexpr std::uint32_t bits = 13;
  const std::uint64_t count = std::min(most_from_host, size);
  std::vector<std::uint32_t> values(count), unpacked(count);
  for (std::uint64_t i = 0; i < count; ++i)
    values[i] = measured_value(i) >> (32 - bits);
  const DeviceMemory memory{.limit = stream.pool->available()};
  InterleavedArray packed;
  rates.push_back({"through the device: 13 of 32 bits: packed, interleaved",
                   best_rate(count,
                             [&] {
                               packed = arrays::pack_interleaved_by_device(
                                   std::span<const std::uint32_t>(values), bits, memory, threads);
                             }),
                   "values/s"});
  rates.push_back({"through the device: 13 of 32 bits: unpacked, interleaved",
                   best_rate(count,
                             [&] {
                               arrays::unpack_by_device(packed.view(), 0,
                                                        std::span<std::uint32_t>(unpacked), memory,
                                                        threads);
                             }),
                   "values/s"});
}

}  // namespace

std::vector<QueryRate> measure_device_packing(std::uint64_t size, int threads,
                                              DeviceStream stream) {
  std::vector<QueryRate> rates;
  PackingRates<std::uint8_t>(2, size, stream, rates).measure();
  PackingRates<std::uint32_t>(13, size, stream, rates).measure();
  PackingRates<std::uint32_t>(26, size, stream, rates).measure();
  PackingRates<std::uint64_t>(40, size, stream, rates).measure();
  measure_from_host(size, threads, stream, rates);
  return rates;
}

}  // namespace gsx::cuda

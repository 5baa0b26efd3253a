#include "kernels/bench/wavelet_rates.hpp"

#include <algorithm>
#include <string>

#include "bench/best_rate.hpp"
#include "bench/measured_sequences.hpp"
#include "kernels/arrays/wavelet/build_sequence.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/bench/device_rate.hpp"
#include "kernels/gsx/device_arrays.cuh"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr std::uint64_t most_queries = std::uint64_t{1} << 26;
constexpr std::uint64_t most_host_values = std::uint64_t{1} << 25;

__global__ void elements_kernel(std::uint64_t size, std::uint32_t sigma, bool skewed,
                                std::uint32_t* d_elements) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_elements[i] = measured_element(i, sigma, skewed);
}

__global__ void sequence_queries_kernel(std::uint64_t count, std::uint64_t size,
                                        std::uint32_t sigma, bool skewed, std::uint32_t* d_values,
                                        std::uint32_t* d_positions) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const MeasuredQuery query = measured_query(k, size);
  d_values[k] = measured_element(query.element, sigma, skewed);
  d_positions[k] = static_cast<std::uint32_t>(query.position);
}

class SequenceRates {
 public:
  SequenceRates(const MeasuredSequence& measured, std::uint64_t size, int threads,
                DeviceStream stream, std::vector<QueryRate>& rates)
      : measured_(measured),
        size_(size),
        count_(std::min(most_queries, size)),
        threads_(threads),
        stream_(stream),
        rates_(rates) {}

  void measure() {
    DeviceBuffer<std::uint32_t> elements(size_, stream_);
    elements_kernel<<<blocks_for(size_, block_threads), block_threads, 0, stream_>>>(
        size_, measured_.sigma, measured_.skewed, elements.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    add("built", size_, "elements/s", 0,
        [&] { (void)build_sequence(elements.data(), size_, measured_.shape, stream_); });
    const gsx::DeviceWaveletSequence sequence(elements.data(), size_, measured_.shape, stream_,
                                              {.limit = stream_.pool->available()});
    elements = {};
    measure_on_device(sequence);
    measure_from_host(sequence);
  }

 private:
  template <class Work>
  void add(const char* what, std::uint64_t amount, const char* unit, double gathers,
           const Work& work) {
    rates_.push_back({"on the device: " + std::string(measured_.name) + ": " + what,
                      device_rate(amount, stream_, work), unit, gathers});
  }

  /// Digits of an element's code, on average: each is a gather.
  double digits(const gsx::DeviceWaveletSequence& sequence) const {
    const WaveletSequenceView view = sequence.view();
    double digits = 0;
    for (std::uint32_t level = 0; level < view.level_count; ++level)
      digits += static_cast<double>(view.levels[level].size);
    return digits / static_cast<double>(size_);
  }

  void measure_on_device(const gsx::DeviceWaveletSequence& sequence) {
    DeviceBuffer<std::uint32_t> values(count_, stream_), positions(count_, stream_),
        ranks(count_, stream_), found(count_, stream_);
    sequence_queries_kernel<<<blocks_for(count_, block_threads), block_threads, 0, stream_>>>(
        count_, size_, measured_.sigma, measured_.skewed, values.data(), positions.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    const double gathers = digits(sequence);
    add("access, random", count_, "queries/s", gathers,
        [&] { sequence.access(positions.data(), count_, found.data(), stream_); });
    add("rank, random", count_, "queries/s", gathers,
        [&] { sequence.rank(values.data(), positions.data(), count_, ranks.data(), stream_); });
    // Of the value at a position, the number of those before it: so there is one.
    sequence.rank(found.data(), positions.data(), count_, ranks.data(), stream_);
    add("select, random", count_, "queries/s", gathers,
        [&] { sequence.select(found.data(), ranks.data(), count_, values.data(), stream_); });
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));
  }

  void measure_from_host(const gsx::DeviceWaveletSequence& sequence) {
    const std::uint64_t count = std::min(most_host_values, size_);
    std::vector<std::uint64_t> values(count), positions(count), ranks(count);
    for (std::uint64_t k = 0; k < count; ++k) {
      const MeasuredQuery query = measured_query(k, size_);
      values[k] = measured_element(query.element, measured_.sigma, measured_.skewed);
      positions[k] = query.position;
    }
    rates_.push_back({"through the device: " + std::string(measured_.name) + ": rank, random",
                      best_rate(count, [&] { sequence.rank(values, positions, ranks, threads_); }),
                      "queries/s"});
  }

  const MeasuredSequence& measured_;
  std::uint64_t size_, count_;
  int threads_;
  DeviceStream stream_;
  std::vector<QueryRate>& rates_;
};

}  // namespace

std::vector<QueryRate> measure_device_wavelet(std::uint64_t size, int threads,
                                              DeviceStream stream) {
  std::vector<QueryRate> rates;
  for (const MeasuredSequence& measured : measured_sequences)
    SequenceRates(measured, size, threads, stream, rates).measure();
  return rates;
}

}  // namespace gsx::cuda

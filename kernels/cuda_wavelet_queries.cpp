#include "kernels/cuda_wavelet_queries.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "kernels/device.hpp"
#include "kernels/device_wavelet.hpp"
#include "kernels/search_lane.hpp"
#include "kernels/tuning.hpp"
#include "kernels/wavelet_kernels.hpp"

namespace gsx::cuda {
namespace {

class CudaWaveletQueries final : public WaveletQueries {
 public:
  CudaWaveletQueries(const WaveletView& wavelet, int device, int threads, Transfer& transfer)
      : device_(device), threads_(threads), wavelet_(wavelet, transfer, placing_.get()) {}

  void access(std::span<const std::uint64_t> positions,
              std::span<std::uint8_t> codes) const override {
    for_each_piece(positions.size(), [&](SearchLane& lane, std::uint64_t begin, std::uint64_t n) {
      DeviceBuffer<std::uint64_t> d_positions(n, lane.stream());
      DeviceBuffer<std::uint8_t> d_codes(n, lane.stream());
      lane.to_device(d_positions.data(), positions.data() + begin, d_positions.bytes());
      access_async(wavelet_.view(), d_positions.data(), n, d_codes.data(), lane.stream());
      lane.to_host(codes.data() + begin, d_codes.data(), d_codes.bytes());
    });
  }

  void rank(std::span<const std::uint8_t> codes, std::span<const std::uint64_t> positions,
            std::span<std::uint64_t> ranks) const override {
    query(rank_async<std::uint64_t>, codes, positions, ranks);
  }

  void select(std::span<const std::uint8_t> codes, std::span<const std::uint64_t> numbers,
              std::span<std::uint64_t> positions) const override {
    query(select_async<std::uint64_t>, codes, numbers, positions);
  }

 private:
  template <class Launch>
  void query(const Launch& launch, std::span<const std::uint8_t> codes,
             std::span<const std::uint64_t> numbers, std::span<std::uint64_t> results) const {
    for_each_piece(numbers.size(), [&](SearchLane& lane, std::uint64_t begin, std::uint64_t n) {
      DeviceBuffer<std::uint8_t> d_codes(n, lane.stream());
      DeviceBuffer<std::uint64_t> d_numbers(n, lane.stream()), d_results(n, lane.stream());
      lane.to_device(d_codes.data(), codes.data() + begin, d_codes.bytes());
      lane.to_device(d_numbers.data(), numbers.data() + begin, d_numbers.bytes());
      launch(wavelet_.view(), d_codes.data(), d_numbers.data(), n, d_results.data(),
             lane.stream());
      lane.to_host(results.data() + begin, d_results.data(), d_results.bytes());
    });
  }

  /// Calls work(lane, begin, count) for pieces of a batch, several at a time.
  template <class Work>
  void for_each_piece(std::uint64_t size, const Work& work) const {
    constexpr std::uint64_t piece = tuning::transfer_bytes / sizeof(std::uint64_t);
    parallel_for(threads_, divide_up(size, piece), [&](std::uint64_t task, int) {
      GSX_CUDA_CHECK(cudaSetDevice(device_));  // a property of each thread
      const SearchLanes::Guard lane = lanes_.take();
      const std::uint64_t begin = task * piece;
      work(*lane, begin, std::min(piece, size - begin));
    });
  }

  int device_;
  int threads_;
  Stream placing_;
  DeviceWavelet wavelet_;
  mutable SearchLanes lanes_;
};

}  // namespace

std::unique_ptr<WaveletQueries> make_wavelet_queries(const WaveletView& wavelet, int device,
                                                     int threads, Transfer& transfer) {
  require_device_bytes(device, DeviceWavelet::bytes(wavelet), "the wavelet tree");
  return std::make_unique<CudaWaveletQueries>(wavelet, device, threads, transfer);
}

}  // namespace gsx::cuda

// What the benchmark measures on the GPU.
#include "bench/device_bench.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/bench/array_rates.hpp"
#include "kernels/bench/ceilings.hpp"
#include "kernels/bench/cuda_rank_select.hpp"
#include "kernels/bench/packing_rates.hpp"
#include "kernels/bench/query_rates.hpp"
#include "kernels/bench/set_rates.hpp"
#include "kernels/bench/wavelet_rates.hpp"

namespace gsx {
namespace {

class CudaBench final : public DeviceBench {
 public:
  CudaBench(int device, std::uint64_t memory_limit) : link_(device, memory_limit) {}

  std::vector<Ceiling> measure_ceilings(int, std::uint64_t) override {
    const cuda::CurrentDevice current = link_.make_current();
    return cuda::measure_device_ceilings(link_.stream());
  }
  std::vector<QueryRate> measure_queries(const Index& index, int threads) override {
    const cuda::CurrentDevice current = link_.make_current();
    return cuda::measure_device_queries(index, link_.transfer(threads), link_.stream());
  }
  std::vector<QueryRate> measure_arrays(std::uint64_t size, int) override {
    const cuda::CurrentDevice current = link_.make_current();
    return cuda::measure_device_arrays(size, link_.stream());
  }
  std::vector<QueryRate> measure_lcp(const TextView& text, int threads) override {
    const cuda::CurrentDevice current = link_.make_current();
    return cuda::measure_device_lcp(text, link_.transfer(threads), link_.stream());
  }
  std::vector<QueryRate> measure_packing(std::uint64_t size, int threads) override {
    const cuda::CurrentDevice current = link_.make_current();
    return cuda::measure_device_packing(size, threads, link_.stream());
  }
  std::vector<QueryRate> measure_wavelet(std::uint64_t size, int threads) override {
    const cuda::CurrentDevice current = link_.make_current();
    return cuda::measure_device_wavelet(size, threads, link_.stream());
  }
  std::vector<QueryRate> measure_neighbors(std::uint64_t size, int threads) override {
    const cuda::CurrentDevice current = link_.make_current();
    return cuda::measure_device_neighbors(size, threads, link_);
  }
  std::vector<QueryRate> measure_prefixes(std::uint64_t size, int threads) override {
    const cuda::CurrentDevice current = link_.make_current();
    return cuda::measure_device_prefixes(size, threads, link_);
  }
  std::unique_ptr<RankSelectQueries> open(const Index& index, int threads) override {
    const cuda::CurrentDevice current = link_.make_current();
    const WaveletMatrixView bwt = index.fm().bwt;
    cuda::require_device_bytes(*link_.pool(), cuda::DeviceWaveletMatrix::bytes(bwt), "the BWT");
    return std::make_unique<cuda::CudaRankSelect>(bwt, link_.pool(), link_.transfer(threads));
  }

 private:
  cuda::DeviceLink link_;
};

}  // namespace

std::unique_ptr<DeviceBench> make_cuda_bench(int device, std::uint64_t memory_limit) {
  return std::make_unique<CudaBench>(device, memory_limit);
}

}  // namespace gsx

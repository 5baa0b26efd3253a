#include "bench/device_bench.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "bench/cpu_arrays.hpp"
#include "bench/cpu_ceilings.hpp"
#include "bench/cpu_rank_select.hpp"
#include "bench/cpu_sets.hpp"
#include "device/registry.hpp"

namespace gsx {
namespace {

class CpuBench final : public DeviceBench {
 public:
  explicit CpuBench(CpuPath path) : path_(path) {}

  std::vector<Ceiling> measure_ceilings(int threads, std::uint64_t bytes) override {
    return measure_cpu_ceilings(threads, bytes);
  }
  std::vector<QueryRate> measure_queries(const Index&, int) override { return {}; }
  std::vector<QueryRate> measure_arrays(std::uint64_t size, int threads) override {
    return measure_cpu_arrays(size, threads, path_);
  }
  std::vector<QueryRate> measure_lcp(const TextView& text, int threads) override {
    return measure_cpu_lcp(text, threads);
  }
  std::vector<QueryRate> measure_packing(std::uint64_t, int) override { return {}; }
  std::vector<QueryRate> measure_wavelet(std::uint64_t size, int threads) override {
    return measure_cpu_wavelet(size, threads, path_);
  }
  std::vector<QueryRate> measure_neighbors(std::uint64_t size, int threads) override {
    return gsx::measure_neighbors(size, threads, nullptr);
  }
  std::vector<QueryRate> measure_prefixes(std::uint64_t size, int threads) override {
    return measure_cpu_prefixes(size, threads);
  }
  std::unique_ptr<RankSelectQueries> open(const Index& index, int threads) override {
    return std::make_unique<CpuRankSelect>(index.fm(), path_, threads);
  }

 private:
  CpuPath path_;
};

/// Measures with a GPU; uses the CPU for queries whose index does not fit the GPU.
class GpuOrCpuBench final : public DeviceBench {
 public:
  GpuOrCpuBench(std::unique_ptr<DeviceBench> gpu, CpuPath path)
      : gpu_(std::move(gpu)), cpu_(path) {}

  std::vector<Ceiling> measure_ceilings(int threads, std::uint64_t bytes) override {
    return gpu_->measure_ceilings(threads, bytes);
  }
  std::vector<QueryRate> measure_queries(const Index& index, int threads) override {
    return ask([&](DeviceBench& bench) { return bench.measure_queries(index, threads); });
  }
  std::vector<QueryRate> measure_arrays(std::uint64_t size, int threads) override {
    return ask([&](DeviceBench& bench) { return bench.measure_arrays(size, threads); });
  }
  std::vector<QueryRate> measure_lcp(const TextView& text, int threads) override {
    return ask([&](DeviceBench& bench) { return bench.measure_lcp(text, threads); });
  }
  std::vector<QueryRate> measure_packing(std::uint64_t size, int threads) override {
    return ask([&](DeviceBench& bench) { return bench.measure_packing(size, threads); });
  }
  std::vector<QueryRate> measure_wavelet(std::uint64_t size, int threads) override {
    return ask([&](DeviceBench& bench) { return bench.measure_wavelet(size, threads); });
  }
  std::vector<QueryRate> measure_neighbors(std::uint64_t size, int threads) override {
    return ask([&](DeviceBench& bench) { return bench.measure_neighbors(size, threads); });
  }
  std::vector<QueryRate> measure_prefixes(std::uint64_t size, int threads) override {
    return ask([&](DeviceBench& bench) { return bench.measure_prefixes(size, threads); });
  }
  std::unique_ptr<RankSelectQueries> open(const Index& index, int threads) override {
    return ask([&](DeviceBench& bench) { return bench.open(index, threads); });
  }

 private:
  template <class Request>
  std::invoke_result_t<Request, DeviceBench&> ask(const Request& request) {
    try {
      return request(*gpu_);
    } catch (const DeviceError& error) {
      log().debug("using the CPU: {}", error.what());
    } catch (const ResourceError& error) {
      log().debug("using the CPU: {}", error.what());
    }
    return request(cpu_);
  }

  std::unique_ptr<DeviceBench> gpu_;
  CpuBench cpu_;
};

}  // namespace

std::unique_ptr<DeviceBench> make_cpu_bench(CpuPath path) {
  return std::make_unique<CpuBench>(path);
}

std::unique_ptr<DeviceBench> make_device_bench(const std::string& device, std::uint64_t gpu_memory,
                                               CpuPath path) {
  const DeviceChoice choice = devices_named(device);
  if (choice.gpus.empty()) return make_cpu_bench(path);
  try {
    std::unique_ptr<DeviceBench> gpu = make_cuda_bench(choice.gpus.front(), gpu_memory);
    if (!choice.or_cpu) return gpu;
    return std::make_unique<GpuOrCpuBench>(std::move(gpu), path);
  } catch (const DeviceError&) {
    if (!choice.or_cpu) throw;
    return make_cpu_bench(path);
  }
}

}  // namespace gsx

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/event.hpp"
#include "kernels/base/pinned_buffer.hpp"
#include "kernels/bench/ceilings.hpp"

namespace gsx::cuda {
namespace {

constexpr std::uint64_t bytes = std::uint64_t{1} << 30;

struct alignas(32) Sector {
  std::uint64_t words[4];
};

__host__ __device__ std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

__global__ void fill_kernel(std::uint64_t* d_words, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) d_words[i] = mix(i);
}

/// One chain of dependent gathers per thread: the next place depends on what was read.
__global__ void gather_kernel(const Sector* d_sectors, std::uint64_t mask, unsigned steps,
                              std::uint64_t* d_out) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint64_t at = mix(thread);
  for (unsigned step = 0; step < steps; ++step) {
    const Sector sector = d_sectors[at & mask];
    at = mix(at + (sector.words[0] ^ sector.words[1] ^ sector.words[2] ^ sector.words[3]));
  }
  d_out[thread] = at;
}

/// Shortest of a few runs, in seconds.
template <class Work>
double fastest(DeviceStream stream, const Work& work) {
  double best = 1e9;
  for (int round = 0; round < 4; ++round) {
    const Event begin, end;
    begin.record(stream);
    work();
    end.record(stream);
    best = std::min(best, end.seconds_since(begin));
  }
  return best;
}

}  // namespace

std::vector<Ceiling> measure_device_ceilings(DeviceStream stream) {
  constexpr std::uint64_t words = bytes / 8;
  DeviceBuffer<std::uint64_t> a(words, stream), b(words, stream);
  for (auto* buffer : {&a, &b}) {
    fill_kernel<<<blocks_for(words, 256), 256, 0, stream>>>(buffer->data(), words);
    GSX_CUDA_CHECK(cudaGetLastError());
  }
  const double copy = fastest(stream, [&] {
    GSX_CUDA_CHECK(cudaMemcpyAsync(b.data(), a.data(), bytes, cudaMemcpyDeviceToDevice, stream));
  });

  constexpr unsigned blocks = 132 * 16, threads = 128, steps = 256;
  const double gather = fastest(stream, [&] {
    gather_kernel<<<blocks, threads, 0, stream>>>(reinterpret_cast<const Sector*>(a.data()),
                                                  bytes / sizeof(Sector) - 1, steps, b.data());
    GSX_CUDA_CHECK(cudaGetLastError());
  });

  DeviceBuffer<std::uint32_t> values(words, stream), other_values(words, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(values.data(), 1, values.bytes(), stream));
  const double sort = fastest(stream, [&] {
    run_cub_async(
        [&](void* workspace, std::size_t& size) {
          return cub::DeviceRadixSort::SortPairs(workspace, size, a.data(), b.data(), values.data(),
                                                 other_values.data(), words, 0, 64, stream);
        },
        stream);
  });

  const PinnedBuffer pinned(std::size_t{256} << 20);
  const double in = fastest(stream, [&] {
    GSX_CUDA_CHECK(
        cudaMemcpyAsync(a.data(), pinned.data(), pinned.size(), cudaMemcpyHostToDevice, stream));
  });
  const double out = fastest(stream, [&] {
    GSX_CUDA_CHECK(
        cudaMemcpyAsync(pinned.data(), a.data(), pinned.size(), cudaMemcpyDeviceToHost, stream));
  });
  const auto bus = static_cast<double>(pinned.size());
  return {
      {"device copy, read + write", 2.0 * bytes / copy, "B/s"},
      {"random 32-byte gathers from 1 GB", 1.0 * blocks * threads * steps / gather, "gathers/s"},
      {"radix sort of u64 keys, u32 values", words / sort, "pairs/s"},
      {"bus to the device, pinned", bus / in, "B/s"},
      {"bus to the host, pinned", bus / out, "B/s"}};
}

}  // namespace gsx::cuda

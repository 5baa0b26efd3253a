#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>

#include "base/error.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/mail.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/rank_bit_vector.hpp"

namespace gsx::cuda {
namespace {

struct SetBits {
  const RankBitBlock* d_blocks;
  __host__ __device__ std::uint64_t operator()(std::uint64_t b) const {
    std::uint64_t count = 0;
    for (const std::uint32_t word : d_blocks[b].words)
      count += popcount32(word);
    return count;
  }
};

__global__ void store_kernel(const std::uint64_t* d_sums, std::uint64_t size,
                             RankBitBlock* d_blocks) {
  const std::uint64_t b = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (b < size) d_blocks[b].before = b == 0 ? 0 : static_cast<std::uint32_t>(d_sums[b - 1]);
}

}  // namespace

std::uint64_t count_ranks(DeviceBuffer<RankBitBlock>& blocks, DeviceStream stream) {
  DeviceBuffer<std::uint64_t> sums(blocks.size(), stream);
  const auto counts = thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0),
                                                      SetBits{blocks.data()});
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(workspace, bytes, counts, sums.data(), sums.size(),
                                             stream);
      },
      stream);
  store_kernel<<<blocks_for(blocks.size(), tuning::block_threads), tuning::block_threads, 0,
                 stream>>>(sums.data(), blocks.size(), blocks.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  Mail mail(stream);
  mail.copy_async(sums.data() + sums.size() - 1, sizeof(std::uint64_t), 0);
  mail.wait();
  const std::uint64_t total = mail.letter(0);
  if (total >> 32 != 0) {
    throw ResourceError("the GPU ranks fewer than 2^32 places at a time, this text has " +
                        std::to_string(total));
  }
  return total;
}

}  // namespace gsx::cuda

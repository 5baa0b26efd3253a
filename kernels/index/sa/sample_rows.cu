#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cub/device/device_select.cuh>
#include <utility>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/mail.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/sample_rows.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

template <class Pos>
struct IsSample {
  RankBitVector samples;
  const Pos* d_rows;
  __device__ bool operator()(std::uint64_t row) const { return samples.test(d_rows[row]); }
};

template <class T>
__global__ void gather_kernel(const T* d_values, const std::uint32_t* d_chosen, std::uint64_t size,
                              T* d_gathered) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < size) d_gathered[k] = d_values[d_chosen[k]];
}

}  // namespace

template <class Pos>
ChosenRows choose_samples(const RankBitVector& samples, const DeviceBuffer<Pos>& rows,
                          std::uint64_t most, DeviceStream stream) {
  DeviceBuffer<std::uint32_t> places(std::min<std::uint64_t>(rows.size(), most), stream);
  Mail mail(stream);
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceSelect::If(workspace, bytes, thrust::counting_iterator<std::uint64_t>(0),
                                     places.data(), mail.letter_to_fill(0), rows.size(),
                                     IsSample<Pos>{samples, rows.data()}, stream);
      },
      stream);
  mail.wait();
  return {std::move(places), mail.letter(0)};
}

template <class T>
DeviceBuffer<T> gathered_async(const DeviceBuffer<T>& values, const ChosenRows& chosen,
                               DeviceStream stream) {
  DeviceBuffer<T> gathered(chosen.count, stream);
  if (chosen.count == 0) return gathered;
  gather_kernel<<<blocks_for(chosen.count, block_threads), block_threads, 0, stream>>>(
      values.data(), chosen.places.data(), chosen.count, gathered.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return gathered;
}

using Narrow = std::uint32_t;
using Wide = std::uint64_t;
template ChosenRows choose_samples(const RankBitVector&, const DeviceBuffer<Narrow>&, std::uint64_t,
                                   DeviceStream);
template ChosenRows choose_samples(const RankBitVector&, const DeviceBuffer<Wide>&, std::uint64_t,
                                   DeviceStream);
template DeviceBuffer<Narrow> gathered_async(const DeviceBuffer<Narrow>&, const ChosenRows&,
                                             DeviceStream);
template DeviceBuffer<Wide> gathered_async(const DeviceBuffer<Wide>&, const ChosenRows&,
                                           DeviceStream);

}  // namespace gsx::cuda

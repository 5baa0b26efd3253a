#include "kernels/search/mismatches/hit_record.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <utility>

#include "base/bits.hpp"
#include "kernels/base/cuda_error.hpp"

namespace gsx::cuda {
namespace {

/// One behind the highest bit by which hits of so many patterns differ.
int end_bit(std::uint64_t patterns) {
  return HitRecord::mismatch_bits + 1 + HitRecord::position_bits +
         static_cast<int>(bits_for(patterns - 1));
}

}  // namespace

void sort_records_async(DeviceBuffer<std::uint64_t>& records, std::uint64_t count,
                        std::uint64_t patterns, DeviceStream stream) {
  if (count == 0) return;
  DeviceBuffer<std::uint64_t> others(records.size(), stream);
  DeviceBuffer<std::uint8_t> workspace(sort_records_bytes(count, patterns), stream);
  const std::uint64_t* sorted = sort_records_async(records.data(), others.data(), count, patterns,
                                                   workspace.data(), workspace.size(), stream);
  if (sorted != records.data()) std::swap(records, others);
}

std::size_t sort_records_bytes(std::uint64_t count, std::uint64_t patterns) {
  std::size_t bytes = 0;
  cub::DoubleBuffer<std::uint64_t> none;
  GSX_CUDA_CHECK(cub::DeviceRadixSort::SortKeys(nullptr, bytes, none, count,
                                                HitRecord::mismatch_bits, end_bit(patterns)));
  return bytes;
}

std::uint64_t* sort_records_async(std::uint64_t* d_records, std::uint64_t* d_others,
                                  std::uint64_t count, std::uint64_t patterns, void* d_workspace,
                                  std::size_t workspace_bytes, cudaStream_t stream) {
  cub::DoubleBuffer<std::uint64_t> both(d_records, d_others);
  GSX_CUDA_CHECK(cub::DeviceRadixSort::SortKeys(d_workspace, workspace_bytes, both, count,
                                                HitRecord::mismatch_bits, end_bit(patterns),
                                                stream));
  return both.Current();
}

}  // namespace gsx::cuda

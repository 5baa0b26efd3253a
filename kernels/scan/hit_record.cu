#include "kernels/scan/hit_record.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <utility>

#include "kernels/runtime/cub_temporary.hpp"

namespace gsx::cuda {

void sort_records_async(DeviceBuffer<std::uint64_t>& records, std::uint64_t count,
                        DeviceStream stream) {
  if (count == 0) return;
  DeviceBuffer<std::uint64_t> sorted(records.size(), stream);
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(workspace, bytes, records.data(), sorted.data(),
                                              count, 0, 64, stream);
      },
      stream);
  std::swap(records, sorted);
}

}  // namespace gsx::cuda

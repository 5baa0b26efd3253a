#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <utility>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/selection.cuh"
#include "kernels/index/lcp/long_pairs.hpp"
#include "kernels/index/lcp/measure_pairs.cuh"

namespace gsx::cuda {
namespace {

/// Pairs in the order of positions; a length takes the place of the partner.
struct SortedPairs {
  const std::uint32_t* d_positions;
  std::uint32_t* d_partners;
  std::uint64_t first_partner;
  std::uint64_t size;
  std::uint64_t known;

  __device__ std::uint64_t position(std::uint64_t k) const { return d_positions[k]; }
  __device__ std::uint64_t partner(std::uint64_t k) const { return first_partner + d_partners[k]; }
  __device__ std::uint64_t length(std::uint64_t k) const { return d_partners[k]; }
  __device__ void set_length(std::uint64_t k, std::uint64_t length) const {
    d_partners[k] = static_cast<std::uint32_t>(length);
  }
};

/// Sorted lengths of which two may be of one position.
struct Twice {
  const std::uint32_t* d_positions;
  const std::uint32_t* d_lengths;
  std::uint64_t size;

  __device__ bool is_first(std::uint64_t i) const {
    return i == 0 || d_positions[i - 1] != d_positions[i];
  }
  __device__ std::uint32_t largest(std::uint64_t i) const {
    const bool again = i + 1 < size && d_positions[i + 1] == d_positions[i];
    return again && d_lengths[i + 1] > d_lengths[i] ? d_lengths[i + 1] : d_lengths[i];
  }
};
struct IsFirst {
  Twice all;
  __device__ bool operator()(std::uint64_t i) const { return all.is_first(i); }
};
struct KeepLargest {
  Twice all;
  std::uint32_t* d_positions;
  std::uint32_t* d_lengths;
  __device__ void keep(std::uint64_t i, std::uint64_t k) const {
    d_positions[k] = all.d_positions[i];
    d_lengths[k] = all.largest(i);
  }
  __device__ void drop(std::uint64_t) const {}
};

void copy_behind_async(const DeviceBuffer<std::uint32_t>& from, std::uint64_t begin,
                       DeviceBuffer<std::uint32_t>& to, cudaStream_t stream) {
  if (from.size() == 0) return;
  GSX_CUDA_CHECK(cudaMemcpyAsync(to.data() + begin, from.data(), from.bytes(),
                                 cudaMemcpyDeviceToDevice, stream));
}

/// Sorts by position what `unsorted` holds, which is freed.
LengthsByPosition sorted_async(LengthsByPosition unsorted, DeviceStream stream) {
  const std::uint64_t size = unsorted.size();
  LengthsByPosition sorted{{size, stream}, {size, stream}};
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(workspace, bytes, unsorted.positions.data(),
                                               sorted.positions.data(), unsorted.lengths.data(),
                                               sorted.lengths.data(), size, 0, 32, stream);
      },
      stream);
  return sorted;
}

}  // namespace

void LongPairs::add(List list) {
  size_ += list.positions.size();
  lists_.push_back(std::move(list));
}

LengthsByPosition LongPairs::measure_async(const TextView& d_text, std::uint64_t first_partner,
                                           std::uint64_t known, DeviceStream stream) {
  if (size_ == 0) return {};
  LengthsByPosition all{{size_, stream}, {size_, stream}};
  std::uint64_t end = 0;
  for (List& list : lists_) {
    copy_behind_async(list.positions, end, all.positions, stream);
    copy_behind_async(list.partners, end, all.lengths, stream);
    end += list.positions.size();
    list = List();
  }
  lists_.clear();
  size_ = 0;
  LengthsByPosition sorted = sorted_async(std::move(all), stream);
  measure_pairs_async(d_text,
                      SortedPairs{sorted.positions.data(), sorted.lengths.data(), first_partner,
                                  sorted.size(), known},
                      stream);
  return sorted;
}

LengthsByPosition larger_lengths(const LengthsByPosition& a, const LengthsByPosition& b,
                                 DeviceStream stream) {
  const std::uint64_t size = a.size() + b.size();
  if (size == 0) return {};
  LengthsByPosition both{{size, stream}, {size, stream}};
  copy_behind_async(a.positions, 0, both.positions, stream);
  copy_behind_async(a.lengths, 0, both.lengths, stream);
  copy_behind_async(b.positions, a.size(), both.positions, stream);
  copy_behind_async(b.lengths, a.size(), both.lengths, stream);
  const LengthsByPosition sorted = sorted_async(std::move(both), stream);
  const Twice all{sorted.positions.data(), sorted.lengths.data(), size};
  const Selection first(IsFirst{all}, size, stream);
  LengthsByPosition larger{{first.size(), stream}, {first.size(), stream}};
  first.move_async(KeepLargest{all, larger.positions.data(), larger.lengths.data()});
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return larger;
}

}  // namespace gsx::cuda

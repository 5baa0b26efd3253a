#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "device_calls/device_api_checks.hpp"
#include "device_calls/user_memory.hpp"
#include "kernels/base/cuda_error.hpp"
#include "kernels/gsx/device.cuh"

namespace gsx::testing {
namespace {

const std::uint8_t* bytes_of(const UserArray<char>& array) {
  return reinterpret_cast<const std::uint8_t*>(array.data());
}

/// Patterns on the device.
class UserPatterns {
 public:
  explicit UserPatterns(const std::vector<std::string>& patterns)
      : letters_(UserArray<char>::of(joined(patterns))),
        ends_(UserArray<std::uint64_t>::of(ends_of(patterns))),
        size_(joined(patterns).size()),
        count_(patterns.size()) {}

  DevicePatterns view() const { return {letters_.data(), ends_.data(), size_, count_}; }

 private:
  static std::string joined(const std::vector<std::string>& patterns) {
    std::string all;
    for (const std::string& pattern : patterns)
      all += pattern;
    return all;
  }
  static std::vector<std::uint64_t> ends_of(const std::vector<std::string>& patterns) {
    std::vector<std::uint64_t> ends;
    std::uint64_t end = 0;
    for (const std::string& pattern : patterns)
      ends.push_back(end += pattern.size());
    return ends;
  }

  UserArray<char> letters_;
  UserArray<std::uint64_t> ends_;
  std::uint64_t size_;
  std::uint64_t count_;
};

template <class Pos>
__global__ void search_kernel(DeviceIndexView index, DevicePatterns patterns,
                              KernelSearch* d_found) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= patterns.count) return;
  const std::uint64_t begin = i == 0 ? 0 : patterns.ends[i - 1];
  const std::uint64_t length = patterns.ends[i] - begin;
  const char* letters = patterns.letters + begin;
  KernelSearch found{0, 0, 0, 0, 0};
  if (length > 0) {
    auto rows = index.template all<Pos>();
    for (std::uint64_t k = length; k-- > 0;)
      rows = index.extend(rows, index.code(letters[k]));
    found.begin = rows.begin;
    found.end = rows.end;
    found.searched = index.template search<Pos>(letters, length).count();
    const std::uint32_t code = index.code(letters[0]);
    if (code < index.fm.sigma) {
      const auto all = index.template all<Pos>();
      found.ranked = index.rank(code, all.end) - index.rank(code, all.begin);
    }
    if (rows.begin < rows.end) found.first_position = index.locate(rows.begin);
  }
  d_found[i] = found;
}

}  // namespace

template <class Pos>
std::vector<Pos> device_suffix_array(std::string_view bytes, const DeviceCall& call) {
  const UserSetup setup(call);
  const auto d_bytes = UserArray<char>::of(bytes);
  const UserArray<Pos> d_rows(bytes.size());
  suffix_array(bytes_of(d_bytes), bytes.size(), d_rows.data(), setup.stream(), setup.memory());
  return to_host(d_rows.data(), bytes.size());
}

template <class Pos>
std::vector<Pos> device_inverse(const std::vector<Pos>& rows) {
  const auto d_rows = UserArray<Pos>::of(rows);
  const UserArray<Pos> d_inverse(rows.size());
  inverse_suffix_array(d_rows.data(), rows.size(), d_inverse.data(), nullptr);
  return to_host(d_inverse.data(), rows.size());
}

DeviceBwt device_bwt(std::string_view bytes, const DeviceCall& call) {
  const UserSetup setup(call);
  const auto d_bytes = UserArray<char>::of(bytes);
  const UserArray<std::uint8_t> d_bwt(bytes.size());
  const std::uint64_t primary =
      bwt(bytes_of(d_bytes), bytes.size(), d_bwt.data(), setup.stream(), setup.memory());
  const auto found = to_host(d_bwt.data(), bytes.size());
  return {std::string(found.begin(), found.end()), primary};
}

std::vector<StrandCounts> device_counts(const Index& index,
                                        const std::vector<std::string>& patterns, Strands strands,
                                        const DeviceCall& call) {
  const UserSetup setup(call);
  const UserPatterns d_patterns(patterns);
  const UserArray<StrandCounts> d_counts(patterns.size());
  {
    const DeviceIndex d_index(index, {setup.memory(), 2});
    d_index.count(d_patterns.view(), d_counts.data(), setup.stream(), strands);
  }  // work that was queued outlives the index
  GSX_CUDA_CHECK(cudaStreamSynchronize(setup.stream()));
  return to_host(d_counts.data(), patterns.size());
}

Hits device_hits(const Index& index, const std::vector<std::string>& patterns,
                 const LocateRequest& request, const DeviceCall& call) {
  const UserSetup setup(call);
  const UserPatterns d_patterns(patterns);
  DeviceHits found;
  {
    DeviceIndex first(index, {setup.memory(), 2});
    const DeviceIndex d_index = std::move(first);
    found = d_index.locate(d_patterns.view(), request, setup.stream());
  }  // hits outlive the index
  Hits hits;
  hits.counts = to_host(found.counts.data(), found.counts.size());
  hits.hit_ends = to_host(found.ends.data(), found.ends.size());
  hits.hits = to_host(found.hits.data(), found.hits.size());
  found = {};
  return hits;
}

std::vector<KernelSearch> kernel_searches(const Index& index,
                                          const std::vector<std::string>& patterns, bool narrow,
                                          bool whole_suffix_array) {
  const UserPatterns d_patterns(patterns);
  const DeviceIndex d_index(index, {.threads = 2, .whole_suffix_array = whole_suffix_array});
  const DeviceIndexView view = d_index.view();
  if ((view.narrow_rows != nullptr) != whole_suffix_array) return {};
  const UserArray<KernelSearch> d_found(patterns.size());
  const auto blocks = static_cast<unsigned>(patterns.size() / 64 + 1);
  if (narrow) {
    search_kernel<std::uint32_t><<<blocks, 64>>>(view, d_patterns.view(), d_found.data());
  } else {
    search_kernel<std::uint64_t><<<blocks, 64>>>(view, d_patterns.view(), d_found.data());
  }
  GSX_CUDA_CHECK(cudaGetLastError());
  return to_host(d_found.data(), patterns.size());
}

bool count_returns_at_once(const Index& index, const std::vector<std::string>& patterns,
                           std::vector<StrandCounts>& counts) {
  const UserSetup setup({});
  const UserPatterns d_patterns(patterns);
  const UserArray<StrandCounts> d_counts(patterns.size());
  std::atomic<bool> held{true};
  bool returned_while_held = false;
  {
    const DeviceIndex d_index(index, {.threads = 2});
    d_index.count(d_patterns.view(), d_counts.data(), setup.stream());  // loads the kernels
    GSX_CUDA_CHECK(cudaStreamSynchronize(setup.stream()));
    GSX_CUDA_CHECK(cudaLaunchHostFunc(
        setup.stream(),
        [](void* flag) {
          const auto* const is_held = static_cast<std::atomic<bool>*>(flag);
          while (*is_held)
            std::this_thread::yield();
        },
        &held));
    d_index.count(d_patterns.view(), d_counts.data(), setup.stream());
    returned_while_held = cudaStreamQuery(setup.stream()) == cudaErrorNotReady;
    (void)cudaGetLastError();
    held = false;
  }
  GSX_CUDA_CHECK(cudaStreamSynchronize(setup.stream()));
  counts = to_host(d_counts.data(), patterns.size());
  return returned_while_held;
}

void check_after_count(const Index& index, const std::vector<std::string>& patterns) {
  const UserPatterns d_patterns(patterns);
  const UserArray<StrandCounts> d_counts(patterns.size());
  const DeviceIndex d_index(index, {.threads = 2, .whole_suffix_array = false});
  d_index.count(d_patterns.view(), d_counts.data(), nullptr);
  d_index.check(nullptr);
}

void use_with_pending_error(const Index& index) {
  void* memory = nullptr;
  (void)cudaMalloc(&memory, ~std::size_t{0} / 2);
  try {
    const DeviceIndex d_index(index);
  } catch (...) {
    (void)cudaGetLastError();
    throw;
  }
}

std::uint64_t keep_until_exit(const Index& index) {
  static const DeviceIndex kept(index, {.threads = 2});
  return kept.bytes();
}

DeviceState device_state(int device) {
  DeviceState state;
  cudaMemPool_t pool = nullptr;
  GSX_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  GSX_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &state.threshold));
  GSX_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &state.reserved));
  GSX_CUDA_CHECK(cudaGetDevice(&state.current));
  return state;
}

void set_current_device(int device) {
  GSX_CUDA_CHECK(cudaSetDevice(device));
}

template std::vector<std::uint32_t> device_suffix_array(std::string_view, const DeviceCall&);
template std::vector<std::uint64_t> device_suffix_array(std::string_view, const DeviceCall&);
template std::vector<std::uint32_t> device_inverse(const std::vector<std::uint32_t>&);
template std::vector<std::uint64_t> device_inverse(const std::vector<std::uint64_t>&);

}  // namespace gsx::testing

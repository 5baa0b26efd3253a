#include "device_calls/set_calls.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "device_calls/user_memory.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/gsx/device_barcodes.cuh"
#include "kernels/search/sets/cuda_neighbor_finder.hpp"

namespace gsx::testing {
namespace {

/// Keys in memory of the user's.
class UserSequences {
 public:
  explicit UserSequences(const SequenceSet& set)
      : UserSequences(set.size() == 0 ? std::span<const std::uint64_t>()
                                      : std::span(set.key(0), set.size() * set.shape().words()),
                      set.shape()) {}
  UserSequences(std::span<const std::uint64_t> words, SequenceShape shape)
      : words_(UserArray<std::uint64_t>::of(words)),
        sequences_{words_.data(), shape.length == 0 ? 0 : words.size() / shape.words(), shape} {}
  const DeviceSequences& get() const { return sequences_; }

 private:
  UserArray<std::uint64_t> words_;
  DeviceSequences sequences_;
};

ListedNeighbors listed(const DeviceNeighbors& neighbors, std::uint64_t rows,
                       std::uint64_t rows_at_once, cudaStream_t stream) {
  const UserArray<std::uint64_t> d_offsets(rows + 1);
  const std::uint64_t pairs = neighbors.count(d_offsets.data(), stream);
  ListedNeighbors table{to_host(d_offsets.data(), rows + 1), {}};
  if (table.offsets.back() != pairs) throw std::runtime_error("the number of pairs is wrong");
  for (std::uint64_t begin = 0; begin < rows; begin += rows_at_once) {
    const std::uint64_t end = std::min(rows, begin + rows_at_once);
    const std::uint64_t some = table.offsets[end] - table.offsets[begin];
    const UserArray<std::uint32_t> d_others(some);
    neighbors.list(begin, end, d_offsets.data(), d_others.data(), stream);
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
    const auto others = to_host(d_others.data(), some);
    table.others.insert(table.others.end(), others.begin(), others.end());
  }
  return table;
}

class LinkedFinder final : public NeighborFinder {
 public:
  explicit LinkedFinder(const FinderLimits& limits)
      : link_(0, limits.memory),
        finder_(link_, {{limits.buckets, limits.scanned}, limits.pairs_at_once}) {}
  void find(const SequenceSet& first, const SequenceSet* second, const NeighborRequest& request,
            const NeighborOptions& options, const TakeNeighbors& take) override {
    finder_.find(first, second, request, options, take);
  }

 private:
  cuda::DeviceLink link_;
  cuda::CudaNeighborFinder finder_;
};

}  // namespace

ListedNeighbors device_neighbors(const SequenceSet& set, const SequenceSet* other,
                                 unsigned distance, std::uint64_t rows_at_once,
                                 const DeviceCall& call) {
  const UserSetup setup(call);
  const UserSequences d_set(set);
  if (other == nullptr) {
    const DeviceNeighbors neighbors(d_set.get(), distance, setup.stream(), setup.memory());
    return listed(neighbors, set.size(), rows_at_once, setup.stream());
  }
  const UserSequences d_other(*other);
  const DeviceNeighbors neighbors(d_set.get(), d_other.get(), distance, setup.stream(),
                                  setup.memory());
  return listed(neighbors, set.size(), rows_at_once, setup.stream());
}

ListedNeighbors device_neighbors_of_keys(const std::vector<std::uint64_t>& words,
                                         SequenceShape shape, unsigned distance) {
  const UserSetup setup({});
  const UserSequences d_set(words, shape);
  const DeviceNeighbors neighbors(d_set.get(), distance, setup.stream(), setup.memory());
  return listed(neighbors, d_set.get().size, ~std::uint64_t{0} >> 1, setup.stream());
}

ListedNeighbors device_neighbors_among_first(const std::vector<std::uint64_t>& words,
                                             std::uint64_t others, SequenceShape shape,
                                             unsigned distance) {
  const UserSetup setup({});
  const UserSequences d_set(words, shape);
  DeviceSequences d_others = d_set.get();
  d_others.size = others;
  const DeviceNeighbors neighbors(d_set.get(), d_others, distance, setup.stream(), setup.memory());
  return listed(neighbors, d_set.get().size, ~std::uint64_t{0} >> 1, setup.stream());
}

std::pair<bool, std::string> neighbors_with_pending_error() {
  const UserSetup setup({});
  const UserSequences d_set(std::vector<std::uint64_t>{1, 2}, {4, 2});
  const DeviceNeighbors neighbors(d_set.get(), 1, setup.stream(), setup.memory());
  const UserArray<std::uint64_t> d_offsets(3);
  void* memory = nullptr;
  (void)cudaMalloc(&memory, ~std::size_t{0} / 2);
  std::string said;
  try {
    neighbors.count(d_offsets.data(), setup.stream());
  } catch (const DeviceError& error) {
    said = error.what();
  }
  return {cudaGetLastError() != cudaSuccess, said};
}

std::unique_ptr<NeighborFinder> make_device_finder(const FinderLimits& limits) {
  return std::make_unique<LinkedFinder>(limits);
}

std::vector<std::uint32_t> device_longest_prefixes(const PrefixSet& set,
                                                   std::span<const std::string_view> queries,
                                                   const DeviceCall& call) {
  const UserSetup setup(call);
  const DevicePrefixSet d_set(set, setup.memory());
  const PrefixSetView view = set.view();
  std::vector<std::uint64_t> words(queries.size() * view.words());
  std::vector<std::uint32_t> lengths;
  // Also what lies beyond the longest entry, in the last word of a query.
  for (std::size_t q = 0; q < queries.size(); ++q)
    lengths.push_back(leading_bases(queries[q], view.words() * PrefixSetView::bases_per_word,
                                    words.data() + q * view.words()));
  const auto d_words = UserArray<std::uint64_t>::of(words);
  const auto d_lengths = UserArray<std::uint32_t>::of(lengths);
  const UserArray<std::uint32_t> d_found(queries.size());
  d_set.longest_prefixes(d_words.data(), d_lengths.data(), queries.size(), d_found.data(),
                         setup.stream());
  GSX_CUDA_CHECK(cudaStreamSynchronize(setup.stream()));
  return to_host(d_found.data(), queries.size());
}

}  // namespace gsx::testing

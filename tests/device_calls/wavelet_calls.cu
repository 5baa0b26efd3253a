#include "device_calls/wavelet_calls.hpp"

#include <cstring>

#include "arrays/rank/quad_vector.hpp"
#include "device_calls/user_memory.hpp"
#include "kernels/gsx/device_arrays.cuh"

namespace gsx::testing {
namespace {

__global__ void query_kernel(WaveletSequenceView sequence, const std::uint64_t* d_at,
                             std::uint64_t at_count, const std::uint64_t* d_values,
                             const std::uint64_t* d_positions, const std::uint64_t* d_numbers,
                             std::uint64_t count, std::uint64_t* d_found, std::uint64_t* d_ranks,
                             std::uint64_t* d_selected) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < at_count) d_found[k] = sequence.access(d_at[k]);
  if (k >= count) return;
  d_ranks[k] = sequence.rank(d_values[k], d_positions[k]);
  d_selected[k] = sequence.select(d_values[k], d_numbers[k]);
}

template <class T>
bool same(const T* h_array, const T* d_array, std::uint64_t size) {
  if (size == 0) return true;
  if ((h_array == nullptr) != (d_array == nullptr)) return false;
  if (h_array == nullptr) return true;
  const std::vector<T> found = to_host(d_array, size);
  return std::memcmp(found.data(), h_array, size * sizeof(T)) == 0;
}

template <class Number>
std::vector<std::uint64_t> widened(const Number* d_numbers, std::size_t size) {
  std::vector<std::uint64_t> wide;
  for (const Number number : to_host(d_numbers, size))
    wide.push_back(number == static_cast<Number>(-1) ? ~std::uint64_t{0} : number);
  return wide;
}

template <class Number>
UserArray<Number> narrowed(const std::vector<std::uint64_t>& numbers) {
  std::vector<Number> narrow;
  for (const std::uint64_t number : numbers)
    narrow.push_back(static_cast<Number>(number));
  return UserArray<Number>::of(narrow);
}

}  // namespace

struct SequenceOnDevice::State {
  UserSetup setup;
  DeviceWaveletSequence sequence;
  State(const WaveletSequence& host, const DeviceCall& call)
      : setup(call), sequence(host, setup.memory(), 2) {}
  template <class Value>
  State(const std::vector<Value>& array, WaveletShape shape, const DeviceCall& call)
      : setup(call), sequence(built(array, shape, setup)) {}

  /// The array goes before the sequence is used.
  template <class Value>
  static DeviceWaveletSequence built(const std::vector<Value>& array, WaveletShape shape,
                                     const UserSetup& setup) {
    const auto d_values = UserArray<Value>::of(array);
    return {d_values.data(), array.size(), shape, setup.stream(), setup.memory()};
  }
};

SequenceOnDevice::SequenceOnDevice(const WaveletSequence& sequence, const DeviceCall& call)
    : state_(new State(sequence, call)) {}
template <class Value>
SequenceOnDevice::SequenceOnDevice(const std::vector<Value>& array, WaveletShape shape,
                                   const DeviceCall& call)
    : state_(new State(array, shape, call)) {}
SequenceOnDevice::~SequenceOnDevice() {
  delete state_;
}

std::uint64_t SequenceOnDevice::bytes() const {
  return state_->sequence.bytes();
}

std::string SequenceOnDevice::difference(const WaveletSequence& host) const {
  const WaveletSequenceView h = host.view(), d = state_->sequence.view();
  if (h.size != d.size || h.symbol_count != d.symbol_count || h.table_size != d.table_size ||
      h.level_count != d.level_count)
    return "sizes";
  if (std::memcmp(h.open, d.open, sizeof h.open) != 0) return "inner nodes";
  if (std::memcmp(h.leaves_before, d.leaves_before, sizeof h.leaves_before) != 0) return "leaves";
  if (!same(h.values, d.values, h.symbol_count)) return "values";
  if (!same(h.firsts, d.firsts, h.symbol_count)) return "firsts";
  if (!same(h.counts, d.counts, h.symbol_count)) return "counts";
  if (!same(h.codes, d.codes, h.symbol_count)) return "codes";
  if (!same(h.leaf_symbols, d.leaf_symbols, h.symbol_count)) return "symbols of leaves";
  if (!same(h.symbols, d.symbols, h.table_size)) return "symbols of values";
  for (std::uint32_t k = 0; k < h.level_count; ++k) {
    const QuadView &a = h.levels[k], &b = d.levels[k];
    const std::string level = " of level " + std::to_string(k);
    if (a.size != b.size || a.base_sum != b.base_sum) return "size" + level;
    if (!same(a.blocks, b.blocks, QuadVector::block_count(a.size))) return "blocks" + level;
    if (!same(a.superblocks, b.superblocks, QuadVector::superblock_count(a.size)))
      return "superblocks" + level;
    if (!same(a.select_hints, b.select_hints, a.hint_count())) return "hints" + level;
  }
  return "";
}

template <class Number>
SequenceAnswers SequenceOnDevice::answers(const SequenceQueries& queries) const {
  const std::size_t at_count = queries.at.size(), count = queries.values.size();
  const auto d_at = narrowed<Number>(queries.at), d_values = narrowed<Number>(queries.values),
             d_positions = narrowed<Number>(queries.positions),
             d_numbers = narrowed<Number>(queries.numbers);
  const UserArray<Number> d_found(at_count), d_ranks(count), d_selected(count);
  const cudaStream_t stream = state_->setup.stream();
  state_->sequence.access(d_at.data(), at_count, d_found.data(), stream);
  state_->sequence.rank(d_values.data(), d_positions.data(), count, d_ranks.data(), stream);
  state_->sequence.select(d_values.data(), d_numbers.data(), count, d_selected.data(), stream);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  SequenceAnswers answers;
  for (const Number value : to_host(d_found.data(), at_count))
    answers.at.push_back(value);
  answers.rank = widened(d_ranks.data(), count);
  answers.select = widened(d_selected.data(), count);
  return answers;
}

SequenceAnswers SequenceOnDevice::answers_of_kernel(const SequenceQueries& queries) const {
  using Array = UserArray<std::uint64_t>;
  const std::size_t at_count = queries.at.size(), count = queries.values.size();
  const Array d_at = Array::of(queries.at), d_values = Array::of(queries.values),
              d_positions = Array::of(queries.positions), d_numbers = Array::of(queries.numbers);
  const Array d_found(at_count), d_ranks(count), d_selected(count);
  const auto blocks = static_cast<unsigned>(std::max(at_count, count) / 128 + 1);
  query_kernel<<<blocks, 128, 0, state_->setup.stream()>>>(
      state_->sequence.view(), d_at.data(), at_count, d_values.data(), d_positions.data(),
      d_numbers.data(), count, d_found.data(), d_ranks.data(), d_selected.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  GSX_CUDA_CHECK(cudaStreamSynchronize(state_->setup.stream()));
  return {to_host(d_found.data(), at_count), to_host(d_ranks.data(), count),
          to_host(d_selected.data(), count)};
}

SequenceAnswers SequenceOnDevice::answers_through(const SequenceQueries& queries,
                                                  int threads) const {
  SequenceAnswers answers;
  answers.at.resize(queries.at.size());
  answers.rank.resize(queries.positions.size());
  answers.select.resize(queries.numbers.size());
  state_->sequence.access(queries.at, answers.at, threads);
  state_->sequence.rank(queries.values, queries.positions, answers.rank, threads);
  state_->sequence.select(queries.values, queries.numbers, answers.select, threads);
  return answers;
}

template <class Value>
WaveletSequence passed_sequence(const std::vector<Value>& array, WaveletShape shape,
                                const DeviceCall& call, int threads) {
  const UserSetup setup(call);
  return arrays::wavelet_by_device(std::span<const Value>(array), shape, setup.memory(), threads);
}

#define GSX_WAVELET_CALLS(Value)                                                       \
  template SequenceOnDevice::SequenceOnDevice(const std::vector<Value>&, WaveletShape, \
                                              const DeviceCall&);                      \
  template WaveletSequence passed_sequence(const std::vector<Value>&, WaveletShape,    \
                                           const DeviceCall&, int);
GSX_WAVELET_CALLS(std::uint8_t)
GSX_WAVELET_CALLS(std::uint16_t)
GSX_WAVELET_CALLS(std::uint32_t)
GSX_WAVELET_CALLS(std::uint64_t)
#undef GSX_WAVELET_CALLS
template SequenceAnswers SequenceOnDevice::answers<std::uint32_t>(const SequenceQueries&) const;
template SequenceAnswers SequenceOnDevice::answers<std::uint64_t>(const SequenceQueries&) const;

}  // namespace gsx::testing

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "arrays/rank/quad_vector.hpp"
#include "arrays/wavelet/huffman_tree.hpp"
#include "kernels/arrays/rank/digit_sort.hpp"
#include "kernels/arrays/rank/rank_blocks.hpp"
#include "kernels/arrays/wavelet/build_sequence.hpp"
#include "kernels/arrays/wavelet/device_alphabet.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

template <class Value, class Code>
__global__ void code_kernel(WaveletSequenceView sequence, const Value* d_values, Code* d_codes) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= sequence.size) return;
  const WaveletCode code = sequence.code_of(sequence.symbol_of(d_values[i]));
  d_codes[i] = static_cast<Code>(code.digits >> (32 - 2 * sequence.level_count));
}

/// Where symbols begin. d_firsts, which the sequence has, is 0 until then.
__global__ void firsts_kernel(WaveletSequenceView sequence, std::uint64_t* d_firsts) {
  const std::uint64_t s = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (s < sequence.symbol_count)
    d_firsts[s] = sequence.rank_of_symbol(static_cast<std::uint32_t>(s), 0);
}

template <class T>
DeviceBuffer<T> copied(const std::vector<T>& table, DeviceStream stream) {
  DeviceBuffer<T> copy(table.size(), stream);
  copy.copy_from_async(table.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return copy;
}

/// A sequence in the making: `view` has the sizes, and pointers to the tables.
struct Parts {
  WaveletSequenceView view;
  SymbolTables tables;
  std::vector<DeviceQuadVector> levels;
  /// Codes of each number of digits, as many elements as have them; none in the balanced shape.
  std::vector<std::uint64_t> ending;
};

/// The tables of the symbols, and how many digits their codes have.
Parts plan_parts(DeviceAlphabet alphabet, std::uint64_t size, WaveletShape shape,
                 DeviceStream stream) {
  Parts parts;
  WaveletSequenceView& view = parts.view;
  WaveletTree tree;
  view.size = size;
  view.symbol_count = alphabet.values.size();
  if (shape == WaveletShape::huffman) {
    std::vector<std::uint64_t> counts(view.symbol_count);
    alphabet.counts.copy_to_async(counts.data());
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
    tree = huffman_tree(counts);
    parts.ending.resize(tree.level_count + 1);
    for (std::uint64_t s = 0; s < counts.size(); ++s)
      parts.ending[tree.codes[s].length] += counts[s];
    parts.tables.codes = copied(tree.codes, stream);
    parts.tables.leaf_symbols = copied(tree.leaf_symbols, stream);
  } else {
    tree.level_count = balanced_length(view.symbol_count);
    parts.ending.resize(tree.level_count + 1);
  }
  std::copy(std::begin(tree.open), std::end(tree.open), view.open);
  std::copy(std::begin(tree.leaves_before), std::end(tree.leaves_before), view.leaves_before);
  view.level_count = tree.level_count;
  view.table_size = alphabet.symbols.size();
  parts.tables.values = std::move(alphabet.values);
  parts.tables.counts = std::move(alphabet.counts);
  parts.tables.symbols = std::move(alphabet.symbols);
  parts.tables.firsts = DeviceBuffer<std::uint64_t>(view.symbol_count, stream);
  view.values = parts.tables.values.data();
  view.codes = parts.tables.codes.data();
  if (view.table_size != 0) view.symbols = parts.tables.symbols.data();
  return parts;
}

/// A level of digits: its blocks stay on the device, the counts are added up by the host.
template <class Code>
DeviceQuadVector make_level(const DeviceBuffer<Code>& codes, std::uint64_t size,
                            std::uint32_t shift, QuadView& sizes, DeviceStream stream) {
  RankBlocks built = build_digit_blocks_async(codes.data(), size, shift, stream);
  Buffer<QuadSuperblock> counts(built.counts.size() + 1, "rank superblocks");
  built.counts.copy_to_async(counts.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  const QuadVector host(size, {}, std::move(counts), {});
  DeviceQuadVector level{std::move(built.blocks),
                         DeviceBuffer<QuadSuperblock>(host.superblocks().size(), stream),
                         {},
                         {}};
  level.superblocks.copy_from_async(host.superblocks().data());
  sizes = host.view();
  add_hints_async(sizes, level, stream);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return level;
}

template <class Code, class Value>
void add_levels(const Value* d_values, Parts& parts, DeviceStream stream) {
  const std::uint32_t count = parts.view.level_count;
  std::uint64_t size = parts.view.size;
  if (count == 0) return;
  DeviceBuffer<Code> codes(size, stream), sorted(count > 1 ? size : 0, stream);
  code_kernel<<<blocks_for(size, block_threads), block_threads, 0, stream>>>(parts.view, d_values,
                                                                             codes.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  for (std::uint32_t level = 0; level < count; ++level) {
    if (level + 1 == count) sorted = {};
    const std::uint32_t shift = 2 * (count - 1 - level);
    QuadView& sizes = parts.view.levels[level];
    parts.levels.push_back(make_level(codes, size, shift, sizes, stream));
    if (level + 1 == count) return;
    sort_by_digit_async(parts.levels.back().view(sizes), codes.data(), shift, false, sorted.data(),
                        stream);
    std::swap(codes, sorted);
    size -= parts.ending[level + 1];  // they are behind the others now
  }
}

}  // namespace

template <class Value>
DeviceWaveletSequence build_sequence(const Value* d_values, std::uint64_t size, WaveletShape shape,
                                     DeviceStream stream) {
  Parts parts = plan_parts(find_alphabet(d_values, size, stream), size, shape, stream);
  if (parts.view.level_count <= 4) {
    add_levels<std::uint8_t>(d_values, parts, stream);
  } else if (parts.view.level_count <= 8) {
    add_levels<std::uint16_t>(d_values, parts, stream);
  } else {
    add_levels<std::uint32_t>(d_values, parts, stream);
  }
  std::uint64_t* const d_firsts = parts.tables.firsts.data();
  const std::uint64_t symbols = parts.view.symbol_count;
  DeviceWaveletSequence sequence(parts.view, std::move(parts.levels), std::move(parts.tables));
  if (symbols != 0) {
    GSX_CUDA_CHECK(cudaMemsetAsync(d_firsts, 0, symbols * sizeof(std::uint64_t), stream));
    firsts_kernel<<<blocks_for(symbols, block_threads), block_threads, 0, stream>>>(sequence.view(),
                                                                                    d_firsts);
    GSX_CUDA_CHECK(cudaGetLastError());
  }
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return sequence;
}

template DeviceWaveletSequence build_sequence(const std::uint8_t*, std::uint64_t, WaveletShape,
                                              DeviceStream);
template DeviceWaveletSequence build_sequence(const std::uint16_t*, std::uint64_t, WaveletShape,
                                              DeviceStream);
template DeviceWaveletSequence build_sequence(const std::uint32_t*, std::uint64_t, WaveletShape,
                                              DeviceStream);
template DeviceWaveletSequence build_sequence(const std::uint64_t*, std::uint64_t, WaveletShape,
                                              DeviceStream);

}  // namespace gsx::cuda

#include "kernels/arrays/wavelet/device_wavelet_sequence.hpp"

#include <utility>

#include "arrays/rank/quad_vector.hpp"
#include "kernels/arrays/rank/wavelet_kernels.hpp"
#include "kernels/base/copies.hpp"

namespace gsx::cuda {
namespace {

DeviceQuadVector level_to_device(const QuadView& host, Transfer& transfer, DeviceStream stream) {
  DeviceQuadVector level{
      copy_to_device(host.blocks, QuadVector::block_count(host.size), transfer, stream),
      copy_to_device(host.superblocks, QuadVector::superblock_count(host.size), transfer, stream),
      {},
      {}};
  add_hints_async(host, level, stream);
  return level;
}

template <class T>
const T* or_null(const DeviceBuffer<T>& buffer) {
  return buffer.size() == 0 ? nullptr : buffer.data();
}

}  // namespace

void add_hints_async(const QuadView& sizes, DeviceQuadVector& level, DeviceStream stream) {
  level.hints = DeviceBuffer<std::uint32_t>(sizes.hint_count(), stream);
  QuadView without = level.view(sizes);
  without.select_hints = nullptr;
  find_hints_async(without, level.hints.size(), level.hints.data(), stream);
}

DeviceWaveletSequence::DeviceWaveletSequence(const WaveletSequenceView& host, Transfer& transfer,
                                             DeviceStream stream) {
  std::vector<DeviceQuadVector> levels;
  for (std::uint32_t k = 0; k < host.level_count; ++k)
    levels.push_back(level_to_device(host.levels[k], transfer, stream));
  const auto table = [&](const auto* h_table, std::uint64_t size) {
    return copy_to_device(h_table, h_table == nullptr ? 0 : size, transfer, stream);
  };
  SymbolTables tables{
      table(host.values, host.symbol_count),       table(host.firsts, host.symbol_count),
      table(host.counts, host.symbol_count),       table(host.codes, host.symbol_count),
      table(host.leaf_symbols, host.symbol_count), table(host.symbols, host.table_size)};
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  *this = DeviceWaveletSequence(host, std::move(levels), std::move(tables));
}

DeviceWaveletSequence::DeviceWaveletSequence(const WaveletSequenceView& sizes,
                                             std::vector<DeviceQuadVector> levels,
                                             SymbolTables tables)
    : levels_(std::move(levels)), tables_(std::move(tables)), view_(sizes) {
  for (std::uint32_t k = 0; k < sizes.level_count; ++k)
    view_.levels[k] = levels_[k].view(sizes.levels[k]);
  view_.values = tables_.values.data();
  view_.firsts = tables_.firsts.data();
  view_.counts = tables_.counts.data();
  view_.codes = or_null(tables_.codes);
  view_.leaf_symbols = or_null(tables_.leaf_symbols);
  view_.symbols = or_null(tables_.symbols);
}

std::uint64_t DeviceWaveletSequence::bytes() const {
  std::uint64_t bytes = tables_.bytes();
  for (const DeviceQuadVector& level : levels_)
    bytes += level.blocks.bytes() + level.superblocks.bytes() + level.hints.bytes();
  return bytes;
}

std::uint64_t DeviceWaveletSequence::bytes(const WaveletSequenceView& host) {
  std::uint64_t bytes =
      3 * host.symbol_count * sizeof(std::uint64_t) + host.table_size * sizeof(std::uint32_t);
  if (host.codes != nullptr)
    bytes += host.symbol_count * (sizeof(WaveletCode) + sizeof(std::uint32_t));
  for (std::uint32_t k = 0; k < host.level_count; ++k) {
    const QuadView& level = host.levels[k];
    bytes += QuadVector::block_count(level.size) * sizeof(QuadBlock) +
             QuadVector::superblock_count(level.size) * sizeof(QuadSuperblock) +
             level.hint_count() * sizeof(std::uint32_t);
  }
  return bytes;
}

}  // namespace gsx::cuda

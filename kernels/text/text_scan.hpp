// Scans of a text by which its suffixes are divided into batches, a tile of positions per block.
#pragma once

#include <cstdint>

#include "kernels/base/tuning.hpp"
#include "kernels/text/leading_bits.hpp"
#include "kernels/text/symbol_code.hpp"

namespace gsx::cuda {

/// Leading bits of suffixes as the text has them packed.
struct PackedScan {
  TextView text;
};

/// Leading bits of suffixes as their streams of words have them.
struct CodedScan {
  TextView text;
  SymbolCodeView code;
};

inline constexpr std::uint32_t prefixes = 1u << tuning::prefix_bits;

// Each kind of scan has these functions. They are asynchronous, and throw ResourceError,
// DeviceError.

/// counts[prefix] += suffixes with that prefix of prefix_bits leading bits.
void count_prefixes_async(const PackedScan& scan, unsigned long long* d_counts,
                          cudaStream_t stream);
void count_prefixes_async(const CodedScan& scan, unsigned long long* d_counts, cudaStream_t stream);

/// counts[b * tiles + tile] = suffixes of batch b in a tile; d_batch_of maps prefixes to batches.
void count_suffixes_async(const PackedScan& scan, const std::uint8_t* d_batch_of,
                          std::uint32_t batches, std::uint64_t* d_counts, cudaStream_t stream);
void count_suffixes_async(const CodedScan& scan, const std::uint8_t* d_batch_of,
                          std::uint32_t batches, std::uint64_t* d_counts, cudaStream_t stream);

/// Writes keys and positions of a batch's suffixes in text order, from where offsets[tile] - base
/// says.
template <class Key, class Pos>
void collect_suffixes_async(const PackedScan& scan, const BatchKeys& batch,
                            const std::uint64_t* d_offsets, std::uint64_t base, Key* d_keys,
                            Pos* d_positions, cudaStream_t stream);
template <class Pos>
void collect_suffixes_async(const CodedScan& scan, const BatchKeys& batch,
                            const std::uint64_t* d_offsets, std::uint64_t base,
                            std::uint64_t* d_keys, Pos* d_positions, cudaStream_t stream);

}  // namespace gsx::cuda

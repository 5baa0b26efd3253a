// A wavelet sequence in device memory.
#pragma once

#include <cstdint>
#include <vector>

#include "arrays/wavelet/wavelet_sequence_view.hpp"
#include "kernels/arrays/rank/device_wavelet_matrix.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/transfer.hpp"

namespace gsx::cuda {

/// The tables of the symbols of a sequence, as WaveletSequenceView has them.
struct SymbolTables {
  DeviceBuffer<std::uint64_t> values, firsts, counts;
  DeviceBuffer<WaveletCode> codes;           ///< none in the balanced shape
  DeviceBuffer<std::uint32_t> leaf_symbols;  ///< none in the balanced shape
  DeviceBuffer<std::uint32_t> symbols;       ///< none where values are far apart

  std::uint64_t bytes() const {
    return values.bytes() + firsts.bytes() + counts.bytes() + codes.bytes() + leaf_symbols.bytes() +
           symbols.bytes();
  }
};

/// Owns a wavelet sequence on the device; view() points at its arrays.
class DeviceWaveletSequence {
 public:
  DeviceWaveletSequence() = default;
  /// Copies from the host, finds the hints of select, and waits. Throws ResourceError, DeviceError.
  DeviceWaveletSequence(const WaveletSequenceView& host, Transfer& transfer, DeviceStream stream);
  /// Of arrays that are on the device already. `sizes` tells the sizes; its pointers are not used.
  DeviceWaveletSequence(const WaveletSequenceView& sizes, std::vector<DeviceQuadVector> levels,
                        SymbolTables tables);

  WaveletSequenceView view() const { return view_; }
  /// Device memory.
  std::uint64_t bytes() const;
  /// The same of a copy of a sequence on the host.
  static std::uint64_t bytes(const WaveletSequenceView& host);

 private:
  std::vector<DeviceQuadVector> levels_;
  SymbolTables tables_;
  WaveletSequenceView view_;
};

/// Finds the hints of select of a level, which are made in `level`. Asynchronous. Throws
/// ResourceError, DeviceError.
void add_hints_async(const QuadView& sizes, DeviceQuadVector& level, DeviceStream stream);

}  // namespace gsx::cuda

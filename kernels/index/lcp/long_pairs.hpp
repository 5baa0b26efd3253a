// Pairs of suffixes that have much in common, and how much.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/base/device_buffer.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Lengths of common prefixes, by increasing position.
struct LengthsByPosition {
  DeviceBuffer<std::uint32_t> positions;
  DeviceBuffer<std::uint32_t> lengths;

  std::uint64_t size() const { return positions.size(); }
};

/// Pairs as they are found, a list at a time. Positions are below 2^32, and so are partners, less
/// what first_partner says.
class LongPairs {
 public:
  struct List {
    DeviceBuffer<std::uint32_t> positions;
    DeviceBuffer<std::uint32_t> partners;
  };

  void add(List list);

  /// How much each pair has in common, at least `known` symbols; and drops the pairs. Partner q of
  /// a list is first_partner + q. Pre: positions and partners are as for LongPrefixes
  /// (index/lcp/long_prefixes.hpp). Memory: 16 bytes per pair, the result included. Cost: O(n).
  /// Asynchronous. Throws ResourceError, DeviceError.
  LengthsByPosition measure_async(const TextView& d_text, std::uint64_t first_partner,
                                  std::uint64_t known, DeviceStream stream);

 private:
  std::vector<List> lists_;
  std::uint64_t size_ = 0;
};

/// For each position in either, the larger length. Memory: 24 bytes per length, the result
/// included. Waits. Throws ResourceError, DeviceError.
LengthsByPosition larger_lengths(const LengthsByPosition& a, const LengthsByPosition& b,
                                 DeviceStream stream);

/// Bytes beside the pairs that measuring `pairs` of them, in any number of lists, takes at most,
/// and putting their lengths together.
constexpr std::uint64_t measuring_bytes(std::uint64_t pairs) {
  return 32 * pairs;
}

}  // namespace gsx::cuda

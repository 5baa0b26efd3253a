// Longest prefixes of batches of sequences, on whatever device.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gsx {

class PrefixFinder;
class PrefixSet;

/// The search for longest prefixes, as the devices know it (device/searches.hpp).
struct PrefixSearch {
  using Searcher = PrefixFinder;
  struct Setup {
    const PrefixSet& set;  ///< must outlive the finder
    int threads = 1;       ///< that call it
  };
};

class PrefixFinder {
 public:
  virtual ~PrefixFinder() = default;
  /// Writes, for each sequence, the index of the longest one of the set that it begins with, or
  /// PrefixSetView::none. Any number of threads may call. Throws ResourceError, DeviceError. Pre:
  /// `found` has an element per sequence.
  virtual void find(std::span<const std::string_view> sequences,
                    std::span<std::uint32_t> found) const = 0;
};

}  // namespace gsx

// Tables of keys on the device, and the search of a text for them.
#pragma once

#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "kernels/search/mismatches/record_finder.hpp"
#include "search/mismatches/key_tables.hpp"

namespace gsx::cuda {

/// The tables of some patterns, and what their places are compared with. Memory: up to 32 KB per
/// table, and 11 to 14 bytes per key.
class DeviceKeys {
 public:
  /// Copies from the host and waits. Pre: the tables have sieves. Throws ResourceError,
  /// DeviceError.
  DeviceKeys(const KeyTables& host, DeviceStream stream);

  /// Adds the places that begin in a range, which begins at a multiple of KeyWindows::places.
  /// Asynchronous. Throws DeviceError. Cost: some 20 operations and a read of shared memory per
  /// symbol and table, and some reads of the second cache per place with a key.
  void find_async(const TextView& d_text, const PlaceRange& range, const ScanResult& result,
                  DeviceStream stream) const;

 private:
  DeviceBuffer<std::uint64_t> bits_;   ///< of all tables
  DeviceBuffer<std::uint32_t> words_;  ///< all else of them
  DeviceBuffer<KeyTableView> tables_;
  DeviceBuffer<KeyStrand> strands_;
  DeviceBuffer<std::uint32_t> numbers_;
  DeviceBuffer<std::uint64_t> masks_;
  DeviceBuffer<SeedEntry> entries_;
  KeysView view_;
  std::uint64_t most_before_ = 0;  ///< symbols of a pattern that lie before its window
  std::uint32_t sieve_bytes_ = 0;  ///< of the largest sieve
};

}  // namespace gsx::cuda

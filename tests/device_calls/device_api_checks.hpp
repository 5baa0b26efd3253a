// The functions of gsx/device.cuh as a user calls them, for tests: data to the device and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device_calls/device_call.hpp"
#include "gsx/index.hpp"
#include "search/exact/hits.hpp"

namespace gsx::testing {

template <class Pos>
std::vector<Pos> device_suffix_array(std::string_view bytes, const DeviceCall& call);
template <class Pos>
std::vector<Pos> device_inverse(const std::vector<Pos>& rows);

struct DeviceBwt {
  std::string bytes;
  std::uint64_t primary = 0;
};
DeviceBwt device_bwt(std::string_view bytes, const DeviceCall& call);

std::vector<StrandCounts> device_counts(const Index& index,
                                        const std::vector<std::string>& patterns, Strands strands,
                                        const DeviceCall& call);
Hits device_hits(const Index& index, const std::vector<std::string>& patterns,
                 const LocateRequest& request, const DeviceCall& call);

/// What a kernel of the caller's finds of one pattern.
struct KernelSearch {
  std::uint64_t begin, end;      ///< rows, by extensions
  std::uint64_t searched;        ///< rows, by a search
  std::uint64_t ranked;          ///< rows, by ranks of a first letter
  std::uint64_t first_position;  ///< of the first row; 0 when there is none
};
/// Of each pattern, in rows of 64 bits or, where `narrow`, of 32.
std::vector<KernelSearch> kernel_searches(const Index& index,
                                          const std::vector<std::string>& patterns, bool narrow,
                                          bool whole_suffix_array);

/// Whether count() returns while the stream still waits for something before it; the counts come
/// after that, and after the index has gone.
bool count_returns_at_once(const Index& index, const std::vector<std::string>& patterns,
                           std::vector<StrandCounts>& counts);
/// Counts, and asks whether the index was found to lead outside itself.
void check_after_count(const Index& index, const std::vector<std::string>& patterns);
/// Opens an index on the device while an error of the caller's is pending.
void use_with_pending_error(const Index& index);
/// An index on the device that goes when the program ends, behind main(). Returns its bytes.
std::uint64_t keep_until_exit(const Index& index);

/// What must be the same before and after work of the library: the default pool's release
/// threshold and reserved bytes, and the calling thread's current device.
struct DeviceState {
  std::uint64_t threshold = 0;
  std::uint64_t reserved = 0;
  int current = 0;
  friend bool operator==(const DeviceState&, const DeviceState&) = default;
};
DeviceState device_state(int device);
void set_current_device(int device);

}  // namespace gsx::testing

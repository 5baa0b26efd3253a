// The resources that a run has used: wall time, CPU time, peak memory.
#pragma once

#include <chrono>
#include <cstdint>

namespace gsx {

/// User and system CPU seconds of this process so far.
double cpu_seconds();
/// Peak resident memory of this process in bytes.
std::uint64_t peak_host_bytes();

/// Resident memory of this process now, in bytes.
std::uint64_t resident_bytes();
/// Gives the system back what was freed and what the allocator keeps for the next request, where it
/// can. Takes milliseconds: for those who would otherwise refuse work for want of memory.
void release_freed_memory();

/// Measures the seconds since its construction or last lap().
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  /// Returns seconds() and restarts.
  double lap() {
    const double passed = seconds();
    start_ = std::chrono::steady_clock::now();
    return passed;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gsx

// What a run has used: wall time, CPU time, peak memory.
#pragma once

#include <chrono>
#include <cstdint>

namespace gsx {

/// CPU seconds, user and system, of this process so far.
double cpu_seconds();
/// Peak resident memory of this process in bytes.
std::uint64_t peak_host_bytes();

/// Memory that this process holds now, in bytes.
std::uint64_t resident_bytes();

/// Seconds since it was made or last restarted.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  /// Returns seconds() and starts again.
  double lap() {
    const double passed = seconds();
    start_ = std::chrono::steady_clock::now();
    return passed;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gsx

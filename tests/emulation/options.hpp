// What environment variables choose.
#pragma once

#include <cstdint>

namespace gsx::emulation {

struct Options {
  /// $GSX_EMULATED_GPUS: their number.
  int gpus;
  /// $GSX_EMULATED_MEMORY: bytes of each.
  std::uint64_t memory;
  /// $GSX_EMULATION_SEED: 0 runs threads and blocks in their order; others shuffle them.
  std::uint64_t seed;
  /// $GSX_EMULATION_EAGER: work is done when it is queued, not when somebody waits for it.
  bool eager;
};

const Options& options();

/// Numbers that look random.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }
  std::uint64_t below(std::uint64_t end) { return next() % end; }

 private:
  std::uint64_t state_;
};

}  // namespace gsx::emulation

// Learns how much of an input should be worked on at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace gsx {

/// The size of batches, by the size of their results. Results that are larger than a thread may
/// hold wait for those before them: threads then work in turn, and no longer at the same time. So
/// such batches are to be smaller. Any thread may call; of calls at the same time, one may be lost.
class BatchSize {
 public:
  /// Below this, what is done once for a batch would take most of the time.
  static constexpr std::uint64_t usual_least = std::uint64_t{4} << 10;

  /// Batches have `most` bytes until something is learnt. Pre: most >= 1, least >= 1.
  explicit BatchSize(std::uint64_t most, std::uint64_t least = usual_least)
      : most_(most), least_(std::min(least, most)), bytes_(most) {}

  /// Bytes of input that the next batch should have, from `least` to `most`.
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  /// Makes the next batches small, to learn from them soon.
  void start_small() { set(most_ / 32); }
  /// Learns from a batch of which `taken` bytes of input have made `made` bytes, where a thread may
  /// hold `room`. The next batches shrink at once, or become at most twice as large per call.
  void learn(std::uint64_t taken, std::uint64_t made, std::uint64_t room) {
    if (taken == 0) return;
    const double wanted = static_cast<double>(taken) * static_cast<double>(room) /
                          static_cast<double>(std::max<std::uint64_t>(made, 1));
    const double next = std::min(wanted, 2.0 * static_cast<double>(bytes()));
    set(static_cast<std::uint64_t>(std::min(next, static_cast<double>(most_))));
  }

 private:
  void set(std::uint64_t bytes) {
    bytes_.store(std::clamp(bytes, least_, most_), std::memory_order_relaxed);
  }

  const std::uint64_t most_, least_;
  std::atomic<std::uint64_t> bytes_;
};

}  // namespace gsx

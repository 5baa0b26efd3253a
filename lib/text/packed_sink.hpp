// Packed values that grow, for texts whose length is unknown until the input ends.
#pragma once

#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "base/packed.hpp"

namespace gsx {

/// Values of `bits` bits each. One thread extends the sink while others write into parts added
/// earlier; take() makes a PackedArray of it. Memory: the values; what is reserved but not used
/// costs only address space.
class PackedSink {
 public:
  /// Error messages give `what` as the use of the memory.
  PackedSink(std::uint32_t bits, const char* what) : bits_(bits), what_(what) {}

  /// Reserves memory for `values` values in all. Throws ResourceError.
  void reserve(std::uint64_t values);

  /// Adds values, each to be written once. Call it from one thread at a time. If the memory must
  /// move, it waits until no thread holds an Access. It does not touch the new memory: the threads
  /// that write do, so the pages are spread over them. Throws ResourceError.
  void extend(std::uint64_t values);
  std::uint64_t size() const { return size_; }

  /// Access to the memory, which does not move while this lives.
  struct Access {
    std::shared_lock<std::shared_mutex> lock;
    std::uint8_t* bytes;
  };
  Access access();
  /// Sets bits of a byte that holds values of several writers. Any thread may call it.
  void set_shared(std::uint64_t byte, std::uint8_t bits);

  /// The values as an array; leaves the sink empty.
  PackedArray take();

 private:
  struct SharedBits {
    std::uint64_t byte;
    std::uint8_t bits;
  };

  std::uint32_t bits_;
  const char* what_;
  std::uint64_t size_ = 0;
  Buffer<std::uint8_t> bytes_;
  std::shared_mutex moving_;
  std::vector<SharedBits> shared_;  ///< merged into their bytes by take()
  std::mutex sharing_;
};

/// Writes consecutive bases into a sink of 2-bit values, starting at any value. Writers in other
/// threads may write the values before and after at the same time.
class BaseWriter {
 public:
  BaseWriter(PackedSink& sink, std::uint64_t first)
      : sink_(sink),
        access_(sink.access()),
        byte_(first / 4),
        filled_(static_cast<std::uint32_t>(first % 4 * 2)),
        shared_(filled_ != 0) {}

  /// Writes the code 0.
  void separator();
  /// Pre: all symbols are A, C, G, T or U, either case.
  void append(const char* symbols, std::uint64_t count);
  /// Flushes; must be the last call.
  void finish();

 private:
  void push(std::uint64_t codes, std::uint32_t bits);
  void write_word(std::uint64_t word);

  PackedSink& sink_;
  PackedSink::Access access_;
  std::uint64_t byte_;         ///< where to write next
  std::uint64_t pending_ = 0;  ///< its lowest filled_ bits are still to be written
  std::uint32_t filled_;       ///< below 64
  bool shared_;                ///< whether the next byte also holds another writer's values
};

}  // namespace gsx

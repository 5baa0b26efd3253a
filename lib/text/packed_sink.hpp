// Growing packed values, for texts whose length is not known before the input ends.
#pragma once

#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "base/packed.hpp"

namespace gsx {

/// Values of `bits` bits that grow at the end while threads write parts that were added before; a
/// PackedArray is made of them at the end. Memory: the values; what is reserved and not used is
/// address space only.
class PackedSink {
 public:
  /// `what` names the use in error messages.
  PackedSink(std::uint32_t bits, const char* what) : bits_(bits), what_(what) {}

  /// Makes room for `values` values in all. Throws ResourceError.
  void reserve(std::uint64_t values);

  /// Adds values that are still to be written, each once. One thread at a time; waits until no
  /// thread holds an Access when the memory must move. Touches none of the new memory: that is for
  /// the threads that write it. Throws ResourceError.
  void extend(std::uint64_t values);
  std::uint64_t size() const { return size_; }

  /// Memory that does not move as long as this lives.
  struct Access {
    std::shared_lock<std::shared_mutex> lock;
    std::uint8_t* bytes;
  };
  Access access();
  /// Sets bits of a byte that has values of several writers. Any thread.
  void set_shared(std::uint64_t byte, std::uint8_t bits);

  /// The values as an array; the sink is empty afterwards.
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
  std::vector<SharedBits> shared_;  ///< put into their bytes at the end
  std::mutex sharing_;
};

/// Writes consecutive bases into a sink of 2 bits a value, from any value on; writers in other
/// threads may write those before and behind at the same time.
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
  /// Must be the last call.
  void finish();

 private:
  void push(std::uint64_t codes, std::uint32_t bits);
  void write_word(std::uint64_t word);

  PackedSink& sink_;
  PackedSink::Access access_;
  std::uint64_t byte_;         ///< where to write next
  std::uint64_t pending_ = 0;  ///< its lowest filled_ bits are still to be written
  std::uint32_t filled_;       ///< below 64
  bool shared_;                ///< whether that byte has values of others
};

}  // namespace gsx

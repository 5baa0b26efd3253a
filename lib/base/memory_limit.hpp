// Limits the memory of the process while it reads input of unknown size.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/machine.hpp"

namespace gsx {

/// Asked before arrays grow. It reads the resident memory from the system only if what was added
/// since the last reading could have reached the limit, so a call far from the limit costs nothing.
/// Only one thread at a time may use it.
class MemoryLimit {
 public:
  /// `room` gives the limit. It is called again before anything is refused, because free memory
  /// changes.
  explicit MemoryLimit(std::function<MemoryRoom()> room);
  /// The limit that a caller has set; none for the largest number, which stands for no limit.
  static std::optional<MemoryLimit> below(std::uint64_t bytes);

  std::uint64_t bytes() const { return room_.bytes; }
  /// Call before allocating `bytes` more. Throws ResourceError if that exceeds the limit.
  void require(std::uint64_t bytes);

 private:
  std::function<MemoryRoom()> ask_;
  MemoryRoom room_;
  std::uint64_t held_;  ///< an upper bound, or slightly more
};

}  // namespace gsx

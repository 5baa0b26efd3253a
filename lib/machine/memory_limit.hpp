// How much memory the process may hold while it reads what it does not know the size of.
#pragma once

#include <cstdint>
#include <functional>

#include "machine/machine.hpp"

namespace gsx {

/// Asked before arrays grow. The system is asked for the memory that is held only when what has
/// been added since could have reached the limit, so far from it a call costs nothing.
/// One thread at a time.
class MemoryLimit {
 public:
  /// `room` gives the limit; it is called again before anything is refused, as free memory changes.
  explicit MemoryLimit(std::function<MemoryRoom()> room);

  std::uint64_t bytes() const { return room_.bytes; }
  /// `bytes` more are going to be held. Throws ResourceError when that is beyond the limit.
  void require(std::uint64_t bytes);

 private:
  std::function<MemoryRoom()> ask_;
  MemoryRoom room_;
  std::uint64_t held_;  ///< at most, or a little more
};

}  // namespace gsx

// Allocations that fail when they are told to: operator new of the unit tests counts its calls.
#pragma once

#include <cstdint>

namespace gsx::testing {

/// While one lives, operator new throws std::bad_alloc at its call `number`, counted from 0 over
/// all threads, and if `lasting`, at every call after that. One at a time.
class FailingNew {
 public:
  FailingNew(std::uint64_t number, bool lasting);
  ~FailingNew();
  FailingNew(const FailingNew&) = delete;
  FailingNew& operator=(const FailingNew&) = delete;

  /// Calls that have failed, of all of them.
  static std::uint64_t failures();
  /// Whether operator new is that of the tests: a sanitizer has its own.
  static bool works();
};

}  // namespace gsx::testing

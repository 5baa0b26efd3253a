// The operator new of the unit tests.
#include "support/failing_new.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace gsx::testing {
namespace {

constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

std::atomic<std::uint64_t> first_to_fail{none};
std::atomic<bool> all_after{false};
std::atomic<std::uint64_t> calls{0};
std::atomic<std::uint64_t> failed{0};

}  // namespace

FailingNew::FailingNew(std::uint64_t number, bool lasting) {
  calls = 0;
  failed = 0;
  all_after = lasting;
  first_to_fail = number;
}

FailingNew::~FailingNew() {
  first_to_fail = none;
}

std::uint64_t FailingNew::failures() {
  return failed;
}

#ifdef GSX_SANITIZED

bool FailingNew::works() {
  return false;
}

}  // namespace gsx::testing

#else

bool FailingNew::works() {
  return true;
}

namespace {

void fail_if_told() {
  const std::uint64_t first = first_to_fail.load(std::memory_order_relaxed);
  if (first == none) return;
  const std::uint64_t call = calls.fetch_add(1, std::memory_order_relaxed);
  if (call != first && (call < first || !all_after)) return;
  ++failed;
  throw std::bad_alloc();
}

void* checked(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* allocate(std::size_t size) {
  fail_if_told();
  return checked(std::malloc(size == 0 ? 1 : size));
}

void* allocate(std::size_t size, std::size_t alignment) {
  fail_if_told();
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  return checked(std::aligned_alloc(alignment, whole == 0 ? alignment : whole));
}

}  // namespace
}  // namespace gsx::testing

// The other forms call these.
void* operator new(std::size_t size) {
  return gsx::testing::allocate(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return gsx::testing::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

#endif

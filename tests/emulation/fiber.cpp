#include "fiber.hpp"

#include <sys/mman.h>

#include <new>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace gsx::emulation {
namespace {

constexpr std::size_t guard_bytes = 4096;
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t stack_bytes = std::size_t{512} << 10;

void leave(void** frames, const void* stack, std::size_t bytes) {
  __sanitizer_start_switch_fiber(frames, stack, bytes);
}
void arrive(void* frames, const void** stack, std::size_t* bytes) {
  __sanitizer_finish_switch_fiber(frames, stack, bytes);
}
void forget(const char* stack) {
  __asan_unpoison_memory_region(stack, stack_bytes);
}
#else
constexpr std::size_t stack_bytes = std::size_t{256} << 10;

void leave(void**, const void*, std::size_t) {}
void arrive(void*, const void**, std::size_t*) {}
void forget(const char*) {}
#endif

}  // namespace

Fiber::Fiber() {
  void* const memory = mmap(nullptr, guard_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  (void)mprotect(memory, guard_bytes, PROT_NONE);
  stack_ = static_cast<char*>(memory) + guard_bytes;
  own_ = boost::context::detail::make_fcontext(stack_ + stack_bytes, stack_bytes, loop);
}

Fiber::~Fiber() {
  // AddressSanitizer keeps frames for each stack until it is left for good.
  if (own_frames_ != nullptr && returned_) {
    function_ = nullptr;
    (void)resume();
  }
  forget(stack_);
  (void)munmap(stack_ - guard_bytes, guard_bytes + stack_bytes);
}

bool Fiber::run(Function function, void* argument) {
  function_ = function;
  argument_ = argument;
  returned_ = false;
  return resume();
}

bool Fiber::resume() {
  void* frames = nullptr;
  leave(&frames, stack_, stack_bytes);
  own_ = boost::context::detail::jump_fcontext(own_, this).fctx;
  arrive(frames, nullptr, nullptr);
  return returned_;
}

void Fiber::wait() {
  switch_to_owner();
}

void Fiber::switch_to_owner() {
  leave(&own_frames_, owner_stack_, owner_stack_bytes_);
  owner_ = boost::context::detail::jump_fcontext(owner_, nullptr).fctx;
  arrive(own_frames_, &owner_stack_, &owner_stack_bytes_);
}

bool Fiber::holds(const void* address) const {
  const auto* const at = static_cast<const char*>(address);
  return at >= stack_ && at < stack_ + stack_bytes;
}

void Fiber::loop(boost::context::detail::transfer_t from) {
  auto* const fiber = static_cast<Fiber*>(from.data);
  fiber->owner_ = from.fctx;
  arrive(nullptr, &fiber->owner_stack_, &fiber->owner_stack_bytes_);
  while (fiber->function_ != nullptr) {
    fiber->function_(fiber->argument_);
    fiber->returned_ = true;
    fiber->switch_to_owner();
  }
  leave(nullptr, fiber->owner_stack_, fiber->owner_stack_bytes_);
  boost::context::detail::jump_fcontext(fiber->owner_, nullptr);
}

}  // namespace gsx::emulation

// Stacks that code runs on until it waits.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

namespace gsx::emulation {

/// A stack of its own. Runs one function after another; when one waits, resume() returns.
class Fiber {
 public:
  using Function = void (*)(void*);

  Fiber();
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Runs function(argument) until it waits or returns; whether it has returned. Pre: the last
  /// function has returned.
  bool run(Function function, void* argument);
  /// Goes on where the function waits.
  bool resume();
  /// Called by the function: returns to whoever runs or resumes it.
  void wait();

  /// Whether an address is on this stack.
  bool holds(const void* address) const;

 private:
  static void loop(boost::context::detail::transfer_t from);
  void switch_to_owner();

  char* stack_;
  boost::context::detail::fcontext_t own_ = nullptr;    ///< where this fiber stopped
  boost::context::detail::fcontext_t owner_ = nullptr;  ///< who runs it
  Function function_ = nullptr;
  void* argument_ = nullptr;
  bool returned_ = true;
  // For AddressSanitizer.
  void* own_frames_ = nullptr;
  const void* owner_stack_ = nullptr;
  std::size_t owner_stack_bytes_ = 0;
};

}  // namespace gsx::emulation

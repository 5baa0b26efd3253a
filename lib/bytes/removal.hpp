// Files and folders to remove when a signal ends the process.
#pragma once

#include <csignal>

#include <string>

namespace gsx {

/// A path that remove_at_signal() removes while this lives, once armed.
class SignalRemoval {
 public:
  /// Allocates, so that arm() need not. Does not arm.
  explicit SignalRemoval(const std::string& path);
  ~SignalRemoval();
  SignalRemoval(const SignalRemoval&) = delete;
  SignalRemoval& operator=(const SignalRemoval&) = delete;
  /// From now on, remove_at_signal() removes the path.
  void arm();

  struct Slot;

 private:
  Slot* slot_;
};

/// Keeps signals from ending the process between the creation of a file and the arming of its
/// removal. While this lives, this thread receives no signal, and a handler on another thread waits
/// for its end: a second at most, since a network disk may hang.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

/// Removes all armed paths, files before the folders that hold them. Async-signal-safe; for a
/// handler just before the process ends. Owners that find their file gone wait for that end.
void remove_at_signal() noexcept;

/// If a handler is ending the process, waits for that end; otherwise returns. Call it before
/// reporting a missing file: the handler may have removed it.
void wait_if_ending();

}  // namespace gsx

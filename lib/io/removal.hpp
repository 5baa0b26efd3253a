// Files and folders that a signal which ends the process takes with it.
#pragma once

#include <signal.h>

#include <string>

namespace gsx {

/// A path that remove_at_signal() removes while this lives, once it is armed.
class SignalRemoval {
 public:
  /// Does nothing yet; allocates, so that arm() need not.
  explicit SignalRemoval(const std::string& path);
  ~SignalRemoval();
  SignalRemoval(const SignalRemoval&) = delete;
  SignalRemoval& operator=(const SignalRemoval&) = delete;
  /// From now on the path is ours to remove.
  void arm();

  struct Slot;

 private:
  Slot* slot_;
};

/// Keeps every signal from ending the process between making a file and arming its removal: this
/// thread gets none while it lives, and a handler on another thread waits for its end (a second at
/// most, since a network's disk may hang).
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

/// Removes all armed paths, files before the folders that hold them; async-signal-safe, for a
/// handler just before the process ends. Their owners, should they notice, wait for that end.
void remove_at_signal() noexcept;

/// Returns unless a handler is ending the process, and waits for that end if one is: what is
/// missing now is no error to speak of.
void wait_if_ending();

}  // namespace gsx

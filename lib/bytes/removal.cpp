#include "bytes/removal.hpp"

#include <pthread.h>
#include <unistd.h>
#include <ctime>

#include <atomic>

namespace gsx {

/// An entry of a list that only grows. A handler may be reading the list, so slots are never freed;
/// free ones are reused.
struct SignalRemoval::Slot {
  /// The owner changes free -> filled -> armed -> free; a handler changes armed -> taken, for good.
  enum State { free, filled, armed, taken };
  std::atomic<int> state{filled};
  std::string path;
  Slot* next = nullptr;
};

namespace {

using Slot = SignalRemoval::Slot;

std::atomic<Slot*> first_slot{nullptr};
std::atomic<int> held{0};
std::atomic<bool> ending{false};

Slot* free_slot() {
  for (Slot* slot = first_slot.load(); slot != nullptr; slot = slot->next) {
    int state = Slot::free;
    if (slot->state.compare_exchange_strong(state, Slot::filled)) return slot;
  }
  auto* made = new Slot;
  made->next = first_slot.load();
  while (!first_slot.compare_exchange_weak(made->next, made)) {
  }
  return made;
}

/// Gives threads that are creating files right now time to arm their removal.
void wait_for_held_signals() {
  constexpr timespec millisecond{0, 1'000'000};
  for (int i = 0; i < 1000 && held.load() != 0; ++i)
    nanosleep(&millisecond, nullptr);
}

}  // namespace

SignalRemoval::SignalRemoval(const std::string& path) : slot_(free_slot()) {
  try {
    slot_->path = path;
  } catch (...) {
    slot_->state = Slot::free;
    throw;
  }
}

void SignalRemoval::arm() {
  slot_->state = Slot::armed;
}

SignalRemoval::~SignalRemoval() {
  int state = Slot::armed;
  if (slot_->state.compare_exchange_strong(state, Slot::free)) return;
  if (state == Slot::filled) slot_->state = Slot::free;  // was never armed
  if (state == Slot::taken) wait_if_ending();
}

SignalsHeld::SignalsHeld() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before_);
  ++held;
  if (!ending) return;
  --held;
  wait_if_ending();
}

SignalsHeld::~SignalsHeld() {
  --held;
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void remove_at_signal() noexcept {
  ending = true;
  wait_for_held_signals();
  for (Slot* slot = first_slot.load(); slot != nullptr; slot = slot->next) {
    int state = Slot::armed;
    if (slot->state.compare_exchange_strong(state, Slot::taken)) unlink(slot->path.c_str());
  }
  for (Slot* slot = first_slot.load(); slot != nullptr; slot = slot->next) {
    if (slot->state == Slot::taken) rmdir(slot->path.c_str());  // folders are empty by now
  }
}

void wait_if_ending() {
  while (ending)
    pause();
}

}  // namespace gsx

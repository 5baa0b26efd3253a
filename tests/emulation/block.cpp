#include "block.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulation/queue.hpp"
#include "emulation/warp.hpp"
#include "fiber.hpp"
#include "options.hpp"

namespace gsx::emulation {

thread_local constinit Place place;

namespace {

constexpr unsigned warp_size = 32;

/// What a thread waits for.
enum class State : unsigned char { ready, in_meeting, somewhere, at_barrier, ended };

struct Thread {
  State state = State::ready;
  Meeting meeting = Meeting::barrier;
  std::uint32_t mask = 0;
  unsigned from = 0;
  std::uint64_t value = 0;  ///< what it brings, then what it gets
  std::uint64_t trace = 0;  ///< of the calls that led to lanes_here()
  std::source_location where;
  Fiber* fiber = nullptr;
};

/// Memory of a block, with nothing readable behind it.
struct SharedVariable {
  std::unique_ptr<char, void (*)(void*)> memory{nullptr, std::free};
  std::size_t bytes = 0;
  std::uint64_t block = 0;  ///< that has used it last

  void* of_block(std::uint64_t number, std::size_t wanted) {
    constexpr std::size_t alignment = 64;
    if (memory == nullptr || bytes != wanted) {
      void* got = nullptr;
      if (posix_memalign(&got, alignment, std::max<std::size_t>(wanted, 1)) != 0) std::abort();
      memory.reset(static_cast<char*>(got));
      bytes = wanted;
      block = 0;
    }
    if (block != number) std::memset(memory.get(), 0xA5, bytes);
    block = number;
    return memory.get();
  }
};

/// The block that a host thread runs. Its fibers and its memory serve one block after another.
class Block {
 public:
  /// Returns false where a thread has touched memory that is not there.
  bool run(const Launch& launch, const Kernel& kernel, std::uint64_t block, std::uint64_t seed);

  Thread& current() { return threads_[place.thread.x]; }
  Fiber* running() const { return running_; }
  /// Called by a thread that cannot go on.
  void abandon() {
    faulty_ = true;
    running_->wait();
  }
  void wait(State state) {
    Thread& thread = current();
    thread.state = state;
    thread.fiber->wait();
  }
  void* shared(const void* key, std::size_t bytes) {
    return variables_[key].of_block(number_, bytes);
  }
  void* dynamic_shared() { return dynamic_.of_block(number_, launch_->shared_bytes); }

 private:
  static void run_thread(void* block);
  void run_warp(unsigned warp);
  void resume(unsigned thread);
  bool end_meetings(unsigned warp);
  void end_meeting(unsigned warp, std::uint32_t mask);
  bool end_somewhere(unsigned warp);
  bool end_barrier();
  unsigned warp_end(unsigned warp) const {
    return std::min<unsigned>((warp + 1) * warp_size, static_cast<unsigned>(threads_.size()));
  }
  void shuffle(std::vector<unsigned>& order);
  Fiber* take_fiber();
  [[noreturn]] void stuck(const std::string& what) const;

  const Launch* launch_ = nullptr;
  const Kernel* kernel_ = nullptr;
  std::uint64_t number_ = 0;  ///< of all blocks that this host thread has run
  Numbers numbers_{0};
  bool shuffled_ = false;
  std::vector<Thread> threads_;
  std::vector<unsigned> lane_order_, warp_order_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> free_fibers_;
  Fiber* running_ = nullptr;
  bool faulty_ = false;
  std::unordered_map<const void*, SharedVariable> variables_;
  SharedVariable dynamic_;
};

Block& this_block() {
  static thread_local Block block;
  return block;
}

void Block::shuffle(std::vector<unsigned>& order) {
  std::iota(order.begin(), order.end(), 0u);
  if (!shuffled_) return;
  if (numbers_.below(4) == 0) return;
  if (numbers_.below(3) == 0) {
    std::reverse(order.begin(), order.end());
    return;
  }
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[numbers_.below(i)]);
}

Fiber* Block::take_fiber() {
  if (free_fibers_.empty()) {
    fibers_.push_back(std::make_unique<Fiber>());
    return fibers_.back().get();
  }
  Fiber* const fiber = free_fibers_.back();
  free_fibers_.pop_back();
  return fiber;
}

void Block::run_thread(void* block) {
  static_cast<Block*>(block)->kernel_->run_thread();
}

bool Block::run(const Launch& launch, const Kernel& kernel, std::uint64_t block,
                std::uint64_t seed) {
  launch_ = &launch;
  kernel_ = &kernel;
  ++number_;
  shuffled_ = seed != 0;
  numbers_ = Numbers(seed);
  threads_.assign(launch.threads, Thread{});
  place.block.x = static_cast<unsigned>(block);
  place.block_size.x = static_cast<unsigned>(launch.threads);
  place.grid_size.x = static_cast<unsigned>(launch.blocks);
  lane_order_.resize(warp_size);
  warp_order_.resize((launch.threads + warp_size - 1) / warp_size);
  do {
    shuffle(warp_order_);
    shuffle(lane_order_);
    for (const unsigned warp : warp_order_)
      if (!faulty_) run_warp(warp);
  } while (!faulty_ && end_barrier());
  if (!faulty_) return true;
  free_fibers_.clear();
  fibers_.clear();
  faulty_ = false;
  return false;
}

/// Runs the threads of a warp until each has ended or waits for another warp.
void Block::run_warp(unsigned warp) {
  const unsigned end = warp_end(warp);
  for (;;) {
    bool ran = false;
    for (const unsigned lane : lane_order_) {
      const unsigned thread = warp * warp_size + lane;
      if (thread >= end || threads_[thread].state != State::ready) continue;
      resume(thread);
      if (faulty_) return;
      ran = true;
    }
    if (ran) continue;
    if (!end_meetings(warp) && !end_somewhere(warp)) return;
  }
}

void Block::resume(unsigned number) {
  Thread& thread = threads_[number];
  place.thread.x = number;
  const bool begins = thread.fiber == nullptr;
  if (begins) thread.fiber = take_fiber();
  running_ = thread.fiber;
  const bool returned = begins ? running_->run(run_thread, this) : running_->resume();
  running_ = nullptr;
  if (!returned) return;
  thread.state = State::ended;
  free_fibers_.push_back(thread.fiber);
}

/// Lets those go on that have met all the others that they wait for; whether there were any.
bool Block::end_meetings(unsigned warp) {
  const unsigned first = warp * warp_size, end = warp_end(warp);
  bool ended = false;
  for (unsigned i = first; i < end; ++i) {
    const Thread& thread = threads_[i];
    if (thread.state != State::in_meeting) continue;
    bool complete = true;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      if ((thread.mask >> lane & 1) == 0) continue;
      const unsigned other = first + lane;
      if (other >= end || threads_[other].state == State::ended) {
        stuck("lane " + std::to_string(i - first) + " waits for lane " + std::to_string(lane) +
              ", which has ended");
      }
      complete = complete && threads_[other].state == State::in_meeting &&
                 threads_[other].mask == thread.mask && threads_[other].meeting == thread.meeting;
    }
    if (!complete) continue;
    end_meeting(warp, thread.mask);
    ended = true;
  }
  return ended;
}

void Block::end_meeting(unsigned warp, std::uint32_t mask) {
  Thread* const lanes = &threads_[warp * warp_size];
  std::uint64_t brought[warp_size] = {};
  std::uint64_t ballot = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    brought[lane] = lanes[lane].value;
    ballot |= std::uint64_t{brought[lane] != 0} << lane;
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    Thread& thread = lanes[lane];
    if (thread.meeting == Meeting::ballot) thread.value = ballot;
    if (thread.meeting == Meeting::shuffle) {
      if ((mask >> thread.from & 1) == 0) {
        stuck("lane " + std::to_string(lane) + " asks for the value of lane " +
              std::to_string(thread.from) + ", which is not in its mask");
      }
      thread.value = brought[thread.from];
    }
    if (thread.meeting == Meeting::match) {
      std::uint64_t same = 0;
      for (unsigned other = 0; other < warp_size; ++other)
        same |= std::uint64_t{(mask >> other & 1) != 0 && brought[other] == brought[lane]} << other;
      thread.value = same;
    }
    thread.state = State::ready;
  }
}

/// When no lane can go on otherwise: those that asked who is with them at one place do, all of them
/// or some.
bool Block::end_somewhere(unsigned warp) {
  const unsigned first = warp * warp_size, end = warp_end(warp);
  bool any = false;
  for (unsigned i = first; i < end; ++i) {
    if (threads_[i].state != State::somewhere) continue;
    any = true;
    std::uint32_t here = 0;
    const std::uint64_t split = shuffled_ ? numbers_.below(3) : 0;
    for (unsigned k = i; k < end; ++k) {
      if (threads_[k].state != State::somewhere || threads_[k].trace != threads_[i].trace) continue;
      if (k != i && (split == 1 || (split == 2 && numbers_.below(2) == 0))) continue;
      here |= 1u << (k - first);
    }
    for (unsigned k = i; k < end; ++k) {
      if ((here >> (k - first) & 1) == 0) continue;
      threads_[k].value = here;
      threads_[k].state = State::ready;
    }
    if (shuffled_) break;  // the others come when these wait again
  }
  return any;
}

/// Lets all threads go on that wait for the block; whether there are any.
bool Block::end_barrier() {
  const Thread* first = nullptr;
  for (const Thread& thread : threads_) {
    if (thread.state == State::ended) continue;
    if (thread.state != State::at_barrier) stuck("some threads wait for others for ever");
    if (first == nullptr) first = &thread;
    if (thread.where.line() != first->where.line())
      stuck("the threads of a block wait at different barriers");
  }
  if (first == nullptr) return false;
  for (Thread& thread : threads_)
    if (thread.state == State::at_barrier) thread.state = State::ready;
  return true;
}

void Block::stuck(const std::string& what) const {
  std::string text = std::string("kernel ") + launch_->kernel + ", block " +
                     std::to_string(place.block.x) + " of " + std::to_string(launch_->blocks) +
                     ": " + what;
  static constexpr const char* names[] = {"ready", "in a warp function", "at __activemask",
                                          "at a barrier", "ended"};
  for (unsigned i = 0, told = 0; i < threads_.size() && told < 40; ++i) {
    const Thread& thread = threads_[i];
    if (thread.state == State::ended || thread.state == State::somewhere) continue;
    text += "\n  thread " + std::to_string(i) + ": " + names[static_cast<int>(thread.state)] +
            ", mask " + std::to_string(thread.mask) + ", " + thread.where.file_name() + ":" +
            std::to_string(thread.where.line());
    ++told;
  }
  fail(text);
}

#ifdef __SANITIZE_ADDRESS__
void watch_for_faults() {}  // the sanitizer says more
#else
struct sigaction handlers_before[2];

/// Ends a thread of a kernel on its own stack, and leaves others to whoever was asked before.
void take_fault(int signal) {
  Block& block = this_block();
  if (block.running() != nullptr) block.abandon();
  (void)sigaction(signal, &handlers_before[signal == SIGBUS ? 1 : 0], nullptr);
}

/// Test programs set handlers of their own now and again.
void watch_for_faults() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  for (const int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction now {};
    (void)sigaction(signal, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == take_fault) continue;
    handlers_before[signal == SIGBUS ? 1 : 0] = now;
    struct sigaction ours {};
    ours.sa_handler = take_fault;
    ours.sa_flags = SA_NODEFER;
    (void)sigaction(signal, &ours, nullptr);
  }
}
#endif

}  // namespace

bool run_blocks(const Launch& launch, const Kernel& kernel) {
  Block& block = this_block();
  watch_for_faults();
  const std::uint64_t seed = options().seed;
  if (seed == 0) {
    for (std::uint64_t i = 0; i < launch.blocks; ++i)
      if (!block.run(launch, kernel, i, 0)) return false;
    return true;
  }
  static std::atomic<std::uint64_t> launches{0};
  Numbers numbers(seed + 1000003 * launches++);
  // A step that has no divisor in common with their number visits all blocks.
  std::uint64_t step = numbers.below(launch.blocks) + 1;
  while (std::gcd(step, launch.blocks) != 1)
    --step;
  std::uint64_t at = numbers.below(launch.blocks);
  for (std::uint64_t i = 0; i < launch.blocks; ++i) {
    if (!block.run(launch, kernel, at, numbers.next() | 1)) return false;
    at = (at + step) % launch.blocks;
  }
  return true;
}

void wait_for_block(std::source_location where) {
  Block& block = this_block();
  block.current().where = where;
  block.wait(State::at_barrier);
}

std::uint64_t meet(Meeting meeting, std::uint32_t mask, std::uint64_t value, unsigned from,
                   std::source_location where) {
  Block& block = this_block();
  Thread& thread = block.current();
  if ((mask >> place.thread.x % warp_size & 1) == 0)
    fail("a lane is not in the mask that it names");
  thread.meeting = meeting;
  thread.mask = mask;
  thread.value = value;
  thread.from = from;
  thread.where = where;
  block.wait(State::in_meeting);
  return thread.value;
}

// The calls that led here tell whether lanes are at the same place: a function may have been called
// from several.
__attribute__((noinline)) std::uint32_t lanes_here() {
  Block& block = this_block();
  Thread& thread = block.current();
  thread.trace = 0;
  const auto* frame = static_cast<void* const*>(__builtin_frame_address(0));
  while (thread.fiber->holds(frame)) {
    thread.trace = thread.trace * 0x100000001B3 + reinterpret_cast<std::uintptr_t>(frame[1]);
    frame = static_cast<void* const*>(frame[0]);
  }
  block.wait(State::somewhere);
  return static_cast<std::uint32_t>(thread.value);
}

void* shared_memory(const void* key, std::size_t bytes, std::size_t) {
  return this_block().shared(key, bytes);
}

void* dynamic_shared_memory() {
  return this_block().dynamic_shared();
}

}  // namespace gsx::emulation

// Loops on several threads. Each loop starts its threads: loops here are coarse (hundreds of
// microseconds or more), and without a pool there is no shared state and nothing to shut down.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace gsx {

/// Runs work(thread) on `threads` threads, of which the caller is thread 0, and waits for all of
/// them. Rethrows the first exception. If the system gives fewer threads, the caller does the
/// missing ones' work after its own. Pre: no thread waits for the work of a later one.
void run_threads(int threads, const std::function<void(int)>& work);

/// Calls work(task, thread) once for every task in [0, tasks), as threads become free. Tasks start
/// in increasing order; no task starts after an exception.
template <class Work>
void parallel_for(int threads, std::uint64_t tasks, Work&& work) {
  std::atomic<std::uint64_t> next{0};
  const auto limit = static_cast<int>(std::clamp<std::uint64_t>(tasks, 1, 1 << 16));
  run_threads(std::min(threads, limit), [&](int thread) {
    for (std::uint64_t task; (task = next.fetch_add(1, std::memory_order_relaxed)) < tasks;) {
      try {
        work(task, thread);
      } catch (...) {
        next.store(tasks, std::memory_order_relaxed);
        throw;
      }
    }
  });
}

/// Range [begin, end) of part `part` when [0, size) is cut into `parts` nearly equal parts.
/// Boundaries, except the last, are multiples of `unit`.
struct Slice {
  std::uint64_t begin;
  std::uint64_t end;
};
inline Slice slice_of(std::uint64_t size, std::uint64_t parts, std::uint64_t part,
                      std::uint64_t unit = 1) {
  const std::uint64_t units = (size + unit - 1) / unit;
  const std::uint64_t base = units / parts;
  const std::uint64_t extra = units % parts;
  const std::uint64_t begin = part * base + std::min(part, extra);
  const std::uint64_t end = begin + base + (part < extra ? 1 : 0);
  return {std::min(size, begin * unit), std::min(size, end * unit)};
}

}  // namespace gsx

#include "base/parallel.hpp"

#include <sched.h>

#include <mutex>
#include <system_error>

namespace gsx {

int available_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void run_threads(int threads, const std::function<void(int)>& work) {
  std::exception_ptr first_error;
  std::mutex error_mutex;
  const auto guarded = [&](int thread) {
    try {
      work(thread);
    } catch (...) {
      const std::lock_guard lock(error_mutex);
      if (!first_error) first_error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    others.reserve(static_cast<std::size_t>(std::max(0, threads - 1)));
    int started = 1;
    try {
      for (; started < threads; ++started)
        others.emplace_back(guarded, started);
    } catch (const std::system_error&) {
      // The system gives no more threads, or no memory for one: the caller does their work.
    }
    guarded(0);
    for (; started < threads; ++started)
      guarded(started);
  }
  if (first_error) std::rethrow_exception(first_error);
}

}  // namespace gsx
